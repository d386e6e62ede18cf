use strict; use warnings; use Storable qw(nstore);
nstore({ map { ("item$_" => $_ % 90) } 0 .. 399 }, 'stock.sto');
