function count() {
    return { count: 1;
}
