#!/usr/bin/env bash
for file in "$@"; do
  echo "$file"
done
