/// Names in the braces of a path: `/meals/{meal_id}` → `meal_id`.
pub fn path_parameters(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
}
