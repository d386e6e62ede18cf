"""The mill's files: the season, the settings and the names of the patterns."""
weaves = ["twill", "satin", "damask", "basket", "herringbone", "rib"]
with open("season", "w") as f:
    f.write("late winter\n")
with open("settings", "w") as f:
    f.write("looms=14\nbook=207\n")
with open("patterns", "w") as f:
    for n in range(340):
        f.write(f"{weaves[n % 6]}-{n}\n")
