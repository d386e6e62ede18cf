BEGIN { for (i = 0; i < 60000; i++) print i, "shop-" i * 7919 % 150, i % 997 / 10 }
