import ArgumentParser
@main struct M: ParsableCommand { }
