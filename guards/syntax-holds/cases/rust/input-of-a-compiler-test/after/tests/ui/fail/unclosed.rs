fn f( {
