//! `kill -9` during 500 concurrent writes: what was acknowledged is there and whole, and every key still answers.
//! `ALMANAC_KILL_ROUNDS` says how often; three times without it.

#[path = "../black_box/house.rs"]
#[expect(dead_code, reason = "made for the black-box tests, which use more of it")]
mod house;
#[path = "../black_box/postgres.rs"]
#[expect(dead_code, reason = "made for the black-box tests, which use more of it")]
mod postgres;
#[path = "../black_box/rpc.rs"]
#[expect(dead_code, reason = "made for the black-box tests, which use more of it")]
mod rpc;
#[path = "../black_box/wire.rs"]
#[expect(dead_code, reason = "made for the black-box tests, which use more of it")]
mod wire;

mod day;
mod kills;
mod moment;
mod running;
mod writer;
