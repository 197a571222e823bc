<?php

function clean(string $name): string
{
    return trim($name);
}

function tally(array $names): array
{
    return array_count_values(array_map('clean', $names));
}
