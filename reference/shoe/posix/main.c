#include "shoe.h"

int main(int count, char **words)
{
    static struct posix_shoe shoe;
    struct options options;
    if (!options_read(&options, count, words)) {
        return 2;
    }
    return options.is_given_time ? run_on_given_time(&shoe, &options) : run_on_port(&shoe, &options);
}
