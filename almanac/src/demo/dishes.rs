/// A helping: energy, and protein, carbohydrate and fat in grams.
pub struct Dish {
    pub name: &'static str,
    pub kcal: f64,
    pub protein_g: f64,
    pub carb_g: f64,
    pub fat_g: f64,
}

const fn dish(name: &'static str, kcal: f64, protein_g: f64, carb_g: f64, fat_g: f64) -> Dish {
    Dish { name, kcal, protein_g, carb_g, fat_g }
}

pub const BREAKFASTS: &[Dish] = &[
    dish("Oats with milk and banana", 420.0, 16.0, 68.0, 10.0),
    dish("Two eggs on toast", 390.0, 21.0, 32.0, 19.0),
    dish("Yoghurt with berries and walnuts", 340.0, 19.0, 26.0, 18.0),
    dish("Cheese roll and coffee with milk", 410.0, 18.0, 42.0, 19.0),
];

pub const LUNCHES: &[Dish] = &[
    dish("Grilled chicken with rice and salad", 640.0, 47.0, 68.0, 19.0),
    dish("Lentil soup with bread", 540.0, 27.0, 79.0, 12.0),
    dish("Tuna salad with potatoes", 560.0, 38.0, 48.0, 23.0),
    dish("Bean burrito", 690.0, 29.0, 88.0, 24.0),
    dish("Cod with chickpeas", 590.0, 45.0, 46.0, 24.0),
];

pub const DINNERS: &[Dish] = &[
    dish("Spaghetti Bolognese", 720.0, 38.0, 82.0, 26.0),
    dish("Salmon with vegetables and quinoa", 650.0, 43.0, 44.0, 33.0),
    dish("Vegetable curry with rice", 610.0, 18.0, 92.0, 18.0),
    dish("Beef stew with potatoes", 680.0, 46.0, 52.0, 31.0),
    dish("Margherita pizza", 820.0, 34.0, 98.0, 31.0),
    dish("Omelette with salad", 480.0, 29.0, 10.0, 36.0),
];

pub const SNACKS: &[Dish] = &[
    dish("Apple", 95.0, 0.5, 25.0, 0.3),
    dish("Handful of almonds", 175.0, 6.0, 6.0, 15.0),
    dish("Protein bar", 210.0, 20.0, 22.0, 7.0),
    dish("Custard tart", 225.0, 4.0, 28.0, 11.0),
];
