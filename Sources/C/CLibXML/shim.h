// libxml2, libxslt and libexslt, and what of them Swift cannot read by itself.

#ifndef LAMPLIGHTER_CLIBXML_SHIM_H
#define LAMPLIGHTER_CLIBXML_SHIM_H

// Debian builds libxml2 with ICU and names ICU's types in a header; they clash with those of Foundation's own ICU. None of
// them is used here, nor any structure that holds one.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libexslt/exslt.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxslt/security.h>
#include <libxslt/transform.h>
#include <libxslt/xslt.h>
#include <libxslt/xsltInternals.h>
#include <libxslt/xsltutils.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/// The beginning of what a library complained about.
typedef struct {
    char text[2048];
} LamplighterComplaint;

/// Appends a message to a LamplighterComplaint; what does not fit is dropped.
static void lamplighterComplain(void *context, const char *format, ...) {
    LamplighterComplaint *complaint = (LamplighterComplaint *)context;
    if (!complaint) return;
    size_t length = strlen(complaint->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(complaint->text + length, sizeof(complaint->text) - length, format, arguments);
    va_end(arguments);
}

/// xmlFree is a variable, which Swift does not trust.
static inline void lamplighterFree(void *memory) { xmlFree(memory); }

/// libxslt takes variadic functions, which Swift cannot write.
static inline void lamplighterSetTransformErrors(xsltTransformContextPtr context, LamplighterComplaint *complaint) {
    xsltSetTransformErrorFunc(context, complaint, lamplighterComplain);
}

/// Where the compilation of stylesheets complains, for the whole process. NULL drops what comes.
static inline void lamplighterSetCompilationErrors(LamplighterComplaint *complaint) {
    xsltSetGenericErrorFunc(complaint, lamplighterComplain);
}

#endif
