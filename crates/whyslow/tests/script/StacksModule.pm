# A module that stacks.pl requires.
package StacksModule;
use strict;
use warnings;

sub inner {
    main::pause();
}

BEGIN {
    main::pause();
}

inner();
main::spin();

1;
