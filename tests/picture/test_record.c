/* SPDX-FileCopyrightText: 2026 The Lithe authors
 * SPDX-License-Identifier: MIT */

/* Recording to folders and films. ffmpeg is played by a script in a folder that is put on PATH. */

#define _POSIX_C_SOURCE 200809L

#include "core/os.h"
#include "picture/record.h"
#include "picture_test.h"

#include <unistd.h>

/* Keeps the arguments and makes an MP4 file of three boxes: an empty one, an empty index, and the frames, whose size is known at last. */
static const char good_script[] =
    "#!/bin/sh\n"
    "for last; do :; done\n"
    "last=${last#file:}\n"
    "printf '%s\\n' \"$@\" >\"$LITHE_TEST_ARGUMENTS\"\n"
    "printf '\\0\\0\\0\\010ftyp\\0\\0\\0\\010moov\\0\\0\\0\\0mdat' >\"$last\"\n"
    "cat >>\"$last\"\n"
    "size=$(($(wc -c <\"$last\") - 16))\n"
    "bytes=$(printf '\\\\0%03o\\\\0%03o\\\\0%03o' $((size >> 16)) $((size >> 8 & 255)) $((size & 255)))\n"
    "printf '%b' \"\\\\0000$bytes\" | dd of=\"$last\" bs=1 seek=16 conv=notrunc 2>/dev/null\n";
enum { FILM_HEAD = 24 }; /* bytes before the frames */
/* As ffmpeg 5 does on a full disk: no index, no size of the frames' box, and all is well. */
static const char content_script[] = "#!/bin/sh\n"
                                     "for last; do :; done\n"
                                     "printf '\\0\\0\\0\\010ftyp\\0\\0\\0\\0mdat' >\"${last#file:}\"\n"
                                     "cat >>\"${last#file:}\" 2>/dev/null\n"
                                     "exit 0\n";
/* Reads a little, complains over two lines, gives up. */
static const char failing_script[] = "#!/bin/sh\n"
                                     "head -c 10 >/dev/null\n"
                                     "echo 'opening output' >&2\n"
                                     "echo 'Unknown encoder libx264' >&2\n"
                                     "exit 1\n";

static char original_path[4096];

/* Puts a folder with a program ffmpeg (none when script is NULL) before the system's on PATH. */
static void install_ffmpeg(const char *script) {
    const char *folder = scratch_path("bin"), *program = scratch_path("bin/ffmpeg");
    mkdir(folder, 0777);
    remove(program);
    char search[4600];
    snprintf(search, sizeof search, "%s:/usr/bin:/bin", folder);
    setenv("PATH", script ? search : folder, 1);
    setenv("LITHE_TEST_ARGUMENTS", scratch_path("bin/arguments"), 1);
    if (!script) return;
    CHECK(lt_os_write_file(program, script, strlen(script), NULL) == LT_OK);
    CHECK(chmod(program, 0755) == 0);
}

static void remove_ffmpeg(void) {
    remove(scratch_path("bin/ffmpeg"));
    remove(scratch_path("bin/arguments"));
    rmdir(scratch_path("bin"));
    setenv("PATH", original_path, 1);
}

static lt_status record_frames(const char *path, uint32_t width, uint32_t height, uint32_t count,
                               lt_error *error) {
    lt_recorder *recorder;
    lt_status status = lt_record_begin(&recorder, path, width, height, 30, NULL, error);
    if (status != LT_OK) return status;
    for (uint32_t i = 0; status == LT_OK && i < count; i++) {
        lt_image frame = test_image(width, height, i);
        status = lt_record_frame(recorder, &frame, error);
        lt_image_free(&frame);
    }
    if (status == LT_OK) return lt_record_end(recorder, error);
    lt_record_abort(recorder);
    return status;
}

static void folder_gets_numbered_pictures(void) {
    lt_error error;
    const char *folder = scratch_path("frames");
    CHECK(record_frames(folder, 20, 10, 3, &error) == LT_OK);
    CHECK_COUNT(count_entries(folder), 3);
    CHECK(path_exists(scratch_path("frames/frame-00000.png")) &&
          path_exists(scratch_path("frames/frame-00002.png")));
    CHECK(record_frames(scratch_path("frames/"), 20, 10, 3, &error) == LT_OK); /* again, into what is there */
    CHECK_COUNT(count_entries(folder), 3);
    remove(scratch_path("frames/frame-00000.png"));
    remove(scratch_path("frames/frame-00001.png"));
    remove(scratch_path("frames/frame-00002.png"));
    rmdir(folder);
    CHECK(record_frames(scratch_path("run.png"), 20, 10, 2, &error) == LT_OK);
    CHECK_COUNT(count_entries(scratch_folder()), 2);
    CHECK(path_exists(scratch_path("run-00001.png")));
    remove(scratch_path("run-00000.png"));
    remove(scratch_path("run-00001.png"));
}

/* No part of a fresh checkout, and in every command of the guides. */
static void the_folder_out_is_made(void) {
    lt_error error;
    char before[4096];
    CHECK_FATAL(getcwd(before, sizeof before) && chdir(scratch_folder()) == 0);
    CHECK(record_frames("out/film.apng", 20, 10, 2, &error) == LT_OK);
    CHECK(record_frames("elsewhere/film.apng", 20, 10, 2, &error) == LT_STATUS_NOT_FOUND);
    CHECK(path_exists("out/film.apng") && !path_exists("elsewhere"));
    remove("out/film.apng");
    rmdir("out");
    CHECK(chdir(before) == 0);
}

static void aborted_recording_leaves_nothing(void) {
    install_ffmpeg(good_script);
    static const char *const names[] = {"frames", "run.png", "film.apng", "film.mp4"};
    lt_image frame = test_image(20, 10, 0);
    int before = count_entries(scratch_folder());
    for (size_t i = 0; i < LT_COUNT_OF(names); i++) {
        lt_recorder *recorder;
        lt_error error;
        CHECK_FATAL(lt_record_begin(&recorder, scratch_path(names[i]), 20, 10, 30, NULL, &error) == LT_OK);
        CHECK(lt_record_frame(recorder, &frame, &error) == LT_OK);
        CHECK(lt_record_frame(recorder, &frame, &error) == LT_OK);
        CHECK(count_entries(scratch_folder()) > before);
        lt_record_abort(recorder);
        CHECK_COUNT(count_entries(scratch_folder()), before);
    }
    lt_record_abort(NULL);
    lt_image_free(&frame);
    remove_ffmpeg();
}

/* A folder that was there before stays, and so does what others put in it. */
static void abort_keeps_what_is_not_its_own(void) {
    lt_recorder *recorder;
    lt_error error;
    const char *folder = scratch_path("mine.mp4"); /* a folder, whatever its name says */
    mkdir(folder, 0777);
    CHECK_FATAL(lt_record_begin(&recorder, folder, 20, 10, 30, NULL, &error) == LT_OK);
    lt_image frame = test_image(20, 10, 0);
    CHECK(lt_record_frame(recorder, &frame, &error) == LT_OK);
    CHECK_COUNT(count_entries(folder), 1);
    lt_record_abort(recorder);
    CHECK_COUNT(count_entries(folder), 0);
    rmdir(folder);
    lt_image_free(&frame);
}

static void bad_paths_are_told(void) {
    install_ffmpeg(good_script);
    static const char *const names[] = {"nowhere/frames", "nowhere/run.png", "nowhere/film.apng",
                                        "nowhere/film.mp4"};
    lt_recorder *recorder;
    lt_error error;
    for (size_t i = 0; i < LT_COUNT_OF(names); i++) {
        CHECK(lt_record_begin(&recorder, scratch_path(names[i]), 20, 10, 30, NULL, &error) ==
              LT_STATUS_NOT_FOUND);
        CHECK_CONTAINS(error.message, "nowhere");
        CHECK(recorder == NULL);
    }
    CHECK(lt_record_begin(&recorder, scratch_path("film.gif"), 20, 10, 30, NULL, &error) ==
          LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, ".apng");
    CHECK(lt_record_begin(&recorder, "", 20, 10, 30, NULL, &error) == LT_STATUS_INVALID);
    remove_ffmpeg();
    CHECK_COUNT(count_entries(scratch_folder()), 0);
}

/* The pipe carries exactly the frames, cut to even sides, and the file appears under its own name. */
static void film_goes_through_the_pipe(void) {
    install_ffmpeg(good_script);
    enum { WIDTH = 21, HEIGHT = 11, FRAMES = 3 };
    lt_error error;
    const char *path = scratch_path("odd 'name $x.mp4");
    CHECK(record_frames(path, WIDTH, HEIGHT, FRAMES, &error) == LT_OK);
    uint8_t *bytes;
    size_t size;
    CHECK_FATAL(lt_os_read_file(path, NULL, &bytes, &size, &error) == LT_OK);
    CHECK_COUNT(size, FILM_HEAD + FRAMES * 20 * 10 * 3);
    bool same = size == FILM_HEAD + FRAMES * 20 * 10 * 3;
    for (uint32_t i = 0; same && i < FRAMES; i++) {
        lt_image frame = test_image(WIDTH, HEIGHT, i);
        for (uint32_t y = 0; y < 10; y++)
            same =
                same && memcmp(bytes + FILM_HEAD + (i * 10 + y) * 60, lt_image_pixel(&frame, 0, y), 60) == 0;
        lt_image_free(&frame);
    }
    CHECK(same);
    lt_release(NULL, bytes, size, 1);
    CHECK_FATAL(lt_os_read_file(scratch_path("bin/arguments"), NULL, &bytes, &size, &error) == LT_OK);
    char text[2048] = "";
    memcpy(text, bytes, size < sizeof text - 1 ? size : sizeof text - 1);
    CHECK_CONTAINS(text, "20x10\n");
    CHECK_CONTAINS(text, "libx264\n");
    CHECK_CONTAINS(text, "yuv420p\n");
    CHECK_CONTAINS(text, "odd 'name $x.mp4.");
    CHECK_CONTAINS(text, ".part\n");
    lt_release(NULL, bytes, size, 1);
    remove(path);
    remove_ffmpeg();
}

/* The failure arrives at a frame (broken pipe) or at the end, with ffmpeg's last line, and kills nothing. */
static void failing_ffmpeg_is_quoted(void) {
    install_ffmpeg(failing_script);
    int before = count_entries(scratch_folder());
    lt_error error;
    for (uint32_t size = 10; size <= 400; size += 390) {
        CHECK(record_frames(scratch_path("film.mp4"), size, size, 4, &error) == LT_STATUS_IO);
        CHECK_CONTAINS(error.message, "film.mp4");
        CHECK_CONTAINS(error.message, "Unknown encoder libx264");
        CHECK_COUNT(count_entries(scratch_folder()), before);
    }
    remove_ffmpeg();
}

/* ffmpeg says that all is well, and what it left cannot be played. */
static void a_film_without_an_end_is_refused(void) {
    install_ffmpeg(content_script);
    int before = count_entries(scratch_folder());
    lt_error error;
    CHECK(lt_os_write_file(scratch_path("film.mp4"), "older", 5, &error) == LT_OK);
    CHECK(record_frames(scratch_path("film.mp4"), 20, 10, 4, &error) == LT_STATUS_IO);
    CHECK_CONTAINS(error.message, "film.mp4: ffmpeg left a film that is not whole");
    CHECK_COUNT(count_entries(scratch_folder()), before + 1); /* the older one */
    remove(scratch_path("film.mp4"));
    remove_ffmpeg();
}

/* The same by the program itself, where it is installed: the disk is full after 2,000 bytes. */
static void a_full_disk_is_told_by_ffmpeg(void) {
    lt_error error;
    if (record_frames(scratch_path("film.mp4"), 64, 64, 8, &error) != LT_OK) {
        check_skip("no ffmpeg: a full disk is tried with a script alone");
        return;
    }
    remove(scratch_path("film.mp4"));
    int before = count_entries(scratch_folder());
    struct rlimit limit = limit_files(2000);
    CHECK(record_frames(scratch_path("film.mp4"), 64, 64, 60, &error) == LT_STATUS_IO);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK_CONTAINS(error.message, "film.mp4");
    CHECK_COUNT(count_entries(scratch_folder()), before);
}

/* Each writes to a draft of its own, and whoever ends last has the name. */
static void two_recordings_of_one_name_are_both_whole(void) {
    install_ffmpeg(good_script);
    static const char *const names[] = {"film.apng", "film.mp4"};
    int before = count_entries(scratch_folder());
    for (size_t i = 0; i < LT_COUNT_OF(names); i++) {
        lt_recorder *recorders[2];
        size_t sizes[2];
        lt_error error;
        for (uint32_t k = 0; k < 2; k++)
            CHECK_FATAL(lt_record_begin(&recorders[k], scratch_path(names[i]), 20, 10, 30, NULL, &error) ==
                        LT_OK);
        for (uint32_t n = 0; n < 6; n++) { /* one has two frames, the other four */
            lt_image frame = test_image(20, 10, n);
            CHECK(lt_record_frame(recorders[n % 3 > 0], &frame, &error) == LT_OK);
            lt_image_free(&frame);
        }
        for (uint32_t k = 0; k < 2; k++) {
            struct stat info = {0};
            CHECK(lt_record_end(recorders[k], &error) == LT_OK);
            CHECK(stat(scratch_path(names[i]), &info) == 0);
            sizes[k] = (size_t)info.st_size;
        }
        CHECK(sizes[0] > 0 && sizes[0] < sizes[1]);
        remove(scratch_path(names[i]));
        CHECK_COUNT(count_entries(scratch_folder()), before);
    }
    remove_ffmpeg();
}

/* Of a link the file that it leads to is replaced, also one in another folder and one that is not there yet. */
static void links_are_written_through(void) {
    install_ffmpeg(good_script);
    static const char *const names[] = {"link.apng", "link.mp4"};
    const char *target = scratch_path("bin/target");
    for (size_t i = 0; i < LT_COUNT_OF(names); i++) {
        lt_error error;
        struct stat info;
        const char *link = scratch_path(names[i]);
        CHECK_FATAL(symlink("bin/target", link) == 0);
        for (uint32_t k = 0; k < 2; k++) {
            CHECK(record_frames(link, 20, 10, 2, &error) == LT_OK);
            CHECK(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
            CHECK(lstat(target, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 24);
        }
        remove(target);
        remove(link);
    }
    remove_ffmpeg();
}

static void missing_ffmpeg_is_told(void) {
    install_ffmpeg(NULL);
    int before = count_entries(scratch_folder());
    lt_error error;
    CHECK(record_frames(scratch_path("film.mp4"), 20, 10, 1, &error) == LT_STATUS_UNSUPPORTED);
    CHECK_CONTAINS(error.message, "install it");
    CHECK_COUNT(count_entries(scratch_folder()), before);
    remove_ffmpeg();
}

static void out_of_memory_leaks_nothing(void) {
    install_ffmpeg(good_script);
    static const char *const names[] = {"frames", "film.apng", "film.mp4"};
    int before = count_entries(scratch_folder());
    for (size_t i = 0; i < LT_COUNT_OF(names); i++)
        for (int successes = 0; successes < 5; successes++) {
            failing_allocator failing = {0, successes};
            lt_allocator allocator = failing_as_allocator(&failing);
            lt_recorder *recorder;
            lt_error error;
            lt_status status =
                lt_record_begin(&recorder, scratch_path(names[i]), 20, 10, 30, &allocator, &error);
            CHECK(status == LT_OK ? recorder != NULL : status == LT_STATUS_MEMORY && recorder == NULL);
            lt_record_abort(recorder);
            CHECK_COUNT(failing.live_bytes, 0);
            CHECK_COUNT(count_entries(scratch_folder()), before);
        }
    remove_ffmpeg();
}

int main(void) {
    const char *search = getenv("PATH");
    snprintf(original_path, sizeof original_path, "%s", search ? search : "/usr/bin:/bin");
    RUN(folder_gets_numbered_pictures);
    RUN(the_folder_out_is_made);
    RUN(aborted_recording_leaves_nothing);
    RUN(abort_keeps_what_is_not_its_own);
    RUN(bad_paths_are_told);
    RUN(film_goes_through_the_pipe);
    RUN(failing_ffmpeg_is_quoted);
    RUN(a_film_without_an_end_is_refused);
    RUN(two_recordings_of_one_name_are_both_whole);
    RUN(links_are_written_through);
    RUN(missing_ffmpeg_is_told);
    RUN(out_of_memory_leaks_nothing);
    RUN(a_full_disk_is_told_by_ffmpeg);
    remove_scratch();
    return check_finish();
}
