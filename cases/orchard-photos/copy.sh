# Copies the photos of an orchard to the second disk, as every night.
rsync -a --bwlimit=2000 photos/ second/
ls second | wc -l
