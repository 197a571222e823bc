#!/bin/sh
ls
