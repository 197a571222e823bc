#!/bin/sh
ls -l
