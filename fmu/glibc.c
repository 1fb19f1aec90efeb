/* libstdc++ reads this flag of the C library to skip atomic operations in programs of one thread. The C
   library has it only since version 2.32; with our own, which always says 'perhaps many threads', the FMU
   runs on older systems. */
char __libc_single_threaded = 0;
