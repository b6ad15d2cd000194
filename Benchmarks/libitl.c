/* libitl's six times a day over the same days and places as the engine's benchmark, for comparison.
 *
 * Needs Debian's libitl-dev. Prints microseconds of one core's time a day, the best of seven runs. */
#include <itl/prayer.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int days_in_month(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

static double run(const Location *place, const Method *method, int count, long *checksum) {
    Date date = {1, 1, 1970};
    Prayer prayers[6];
    clock_t start = clock();
    for (int n = 0; n < count; n++) {
        getPrayerTimes(place, method, &date, prayers);
        for (int p = 0; p < 6; p++) *checksum += prayers[p].hour * 60 + prayers[p].minute;
        if (++date.day > days_in_month(date.year, date.month)) {
            date.day = 1;
            if (++date.month > 12) date.month = 1, date.year++;
        }
    }
    return (double)(clock() - start) / CLOCKS_PER_SEC / count * 1e6;
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 100000;
    struct {
        const char *name;
        double latitude, longitude;
    } places[] = {{"Queens 40.73", 40.7282, -73.7949}, {"Oslo 59.91", 59.91, 10.75}};
    for (int p = 0; p < 2; p++) {
        Location place = {places[p].longitude, places[p].latitude, 0, 0, 0, 1010, 10};
        Method method;
        getMethod(4, &method); /* ISNA */
        method.mathhab = 2;
        long checksum = 0;
        double best = 1e9;
        for (int n = 0; n < 7; n++) {
            double took = run(&place, &method, count, &checksum);
            if (took < best) best = took;
        }
        printf("libitl, %s, in a row: %.3f µs a day (six times, %d days, checksum %ld)\n", places[p].name, best,
               count, checksum);
    }
    return 0;
}
