"""Many deals: surveys, the chunks they are cut into, their processes and their files."""
