var x = <%= json %>;
