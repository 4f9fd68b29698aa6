use std::time::{Duration, Instant};

use super::report::{Call, Figures};
use super::world::World;
use crate::{data_folder::DataFolder, error::Error, machine::Machine, markdown, options::Options};

/// Calls measured in a row, per world and kind.
const CALLS: usize = 100;

pub async fn run(options: &Options) -> Result<std::process::ExitCode, Error> {
    let machine = Machine::look(&options.work)?;
    let folder = DataFolder::make(&options.work)?;
    let mut grown = vec![
        World::new(folder.path(), "one year", 1, 0).await?,
        World::new(folder.path(), "ten years", 10, 0).await?,
        World::new(folder.path(), "ten years, 1,000 people beside", 10, 1_000).await?,
    ];
    let mut figures = Figures::default();
    for round in 0..=options.rounds {
        let empty = World::new(folder.path(), &format!("empty {round}"), 0, 0).await?;
        for call in Call::ALL {
            // The first round only warms up.
            let counts = round > 0;
            figures.add("empty", call, measure(&empty, call).await?, counts);
            for world in &mut grown {
                let times = measure(world, call).await?;
                figures.add(&world.name, call, times, counts);
            }
        }
    }
    let section = figures.section(&machine, options);
    println!("{section}");
    if let Some(out) = &options.out {
        markdown::replace_section(out, "growth", &section)?;
    }
    Ok(figures.verdict(options.gate && !machine.was_busy()))
}

async fn measure(world: &World, call: Call) -> Result<Vec<Duration>, Error> {
    let mut times = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let (operation, input) = call.next(world);
        let begun = Instant::now();
        world.call(operation, input).await?;
        times.push(begun.elapsed());
    }
    Ok(times)
}
