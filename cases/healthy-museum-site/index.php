<?php
// The page of a museum's opening hours.
$hours = ['Tue' => '10-17', 'Wed' => '10-17', 'Thu' => '10-20', 'Fri' => '10-17'];
foreach ($hours as $day => $time) echo "<li>$day $time</li>\n";
