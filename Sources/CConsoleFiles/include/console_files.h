#ifndef BODEGA_CONSOLE_FILES_H
#define BODEGA_CONSOLE_FILES_H

/// A file of the console's pages, as it lies in the folder `files`.
struct console_file {
    /// Its path below that folder.
    const char *name;
    const unsigned char *bytes;
    unsigned long count;
};

/// How many files there are.
unsigned long console_file_count(void);

/// The file at a place below the count.
struct console_file console_file_at(unsigned long place);

#endif
