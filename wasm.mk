# The portable core for wasm32-wasi, with Debian's clang, lld, llvm, wasi-libc and libclang-rt-14-dev-wasm32: see
# doc/portable.md. For GNU make. `make wasm` runs this with CORE_FILES, the files of the core's rooms; below wasm/ it
# builds
#   libmuybridge-core.a   all of the core
#   walk_core.wasm        the test module, of tests/wasm/walk_core.c
# and runs the module, where there is a node to run it, against the same program built for this machine. `make stage`
# builds with it the module that the program puts into pages, in the source tree, where it is kept (doc/stage.md):
#   stage/stage.wasm      the stage: src/stage/exports.c and what it needs of the core; imports nothing
MAKEFLAGS += --no-builtin-rules
srcdir ?= .
CLANG ?= clang
LLVM_AR ?= llvm-ar
NODE ?= node
WASI_INCLUDE ?= /usr/include/wasm32-wasi

# no header of this machine, and a config.h in which nothing of this machine was found
WASM_CFLAGS = --target=wasm32-wasi -nostdlibinc -isystem $(WASI_INCLUDE) -O2 -Wno-psabi \
  $(filter-out -fsanitize% -fno-sanitize% -fno-omit%,$(CORE_CFLAGS)) \
  -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_GETPID -Iwasm -I$(srcdir)/src
# All memory from the start: the WASI of node 20 uses freed memory once a module has grown its own.
WASM_LDFLAGS = -Wl,-z,stack-size=1048576 -Wl,--initial-memory=134217728
WASM_LIBS = -lwasi-emulated-process-clocks -lwasi-emulated-getpid

objects = $(patsubst %.c,wasm/%.o,$(filter %.c,$(CORE_FILES))) wasm/kernels_x1.o wasm/kernels_x4.o

wasm/walk_core.passed: wasm/walk_core.wasm tests/wasm/walk_core tests/wasm/make_controls
	@if command -v $(NODE) >/dev/null; then sh $(srcdir)/tests/wasm/compare.sh $(srcdir) $(NODE) && touch $@; \
	else echo "make wasm: built, but not run: there is no node"; fi

wasm/walk_core.wasm: wasm/tests/wasm/walk_core.o wasm/libmuybridge-core.a
	@echo "  WASMLD   $@"
	@$(CLANG) --target=wasm32-wasi $(WASM_LDFLAGS) -o $@ $^ $(WASM_LIBS)

wasm/libmuybridge-core.a: $(objects)
	@echo "  WASMAR   $@"
	@rm -f $@
	@$(LLVM_AR) rcs $@ $^

# ---- the stage ----
STAGE = $(srcdir)/stage
STAGE_LDFLAGS = -nostartfiles -Wl,--no-entry -Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=1048576
stage_objects = wasm/src/stage/exports.o wasm/src/stage/no_system.o

stage: $(STAGE)/stage.wasm

$(STAGE)/stage.wasm: $(stage_objects) wasm/libmuybridge-core.a
	@echo "  WASMLD   $@"
	@$(CLANG) --target=wasm32-wasi $(STAGE_LDFLAGS) -o $@.part $^ $(WASM_LIBS)
	@chmod -x $@.part && mv $@.part $@

wasm/%.o: $(srcdir)/%.c wasm/config.h
	@echo "  WASMCC   $<"
	@mkdir -p $(@D)
	@$(CLANG) $(WASM_CFLAGS) -MMD -MP -c -o $@ $<

wasm/kernels_x%.o: $(srcdir)/src/dynamics/kernels.c wasm/config.h
	@echo "  WASMCC   $@"
	@$(CLANG) $(WASM_CFLAGS) -DLANES=$* -DKERNELS=kernels_generic_x$* -DINSTRUCTIONS='"generic"' -MMD -MP -c -o $@ $<

wasm/config.h:
	@mkdir -p wasm
	@echo '/* wasm32-wasi: neither vector instructions nor foreign engines */' > $@

-include $(objects:.o=.d) $(stage_objects:.o=.d) wasm/tests/wasm/walk_core.d

.PHONY: stage
