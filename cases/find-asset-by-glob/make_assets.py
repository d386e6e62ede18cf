"""Makes 150 folders with 20 pictures each."""
import os

for year in range(10):
    for event in range(15):
        folder = f"assets/{2015 + year}/event-{event:02}"
        os.makedirs(folder)
        for picture in range(20):
            open(f"{folder}/picture-{year}{event:02}{picture:02}.jpg", "w").close()
