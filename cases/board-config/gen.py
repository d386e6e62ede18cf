import random
rng = random.Random(3)
words = ["spi", "uart", "gpio", "dma", "eth", "usb", "clk", "pwm", "adc", "rtc", "wdt", "can", "i2c", "mmc", "pci"]
with open("options.txt", "w") as out:
    for i in range(3800):
        print(f"CONFIG_{rng.choice(words).upper()}_{rng.choice(words).upper()}_{i:04d}={rng.choice('ynm')}", file=out)
