struct label {
    long kind;
    char text[400];
};
