#include "tls.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    UNFINISHED_MS = 10000,      /* section 11: no record has come whole for so long */
    HANDSHAKE_MESSAGE_MAX = 3072,
    RECORD_HEAD_BYTES = 5,
    RECORD_OVERHEAD_BYTES = 22, /* head, type of the content, tag of AES-GCM */
    CIPHERTEXT_MAX = 17408,     /* the longest record that the library takes, and some of the next */
    CHUNK_BYTES = 512,
    FILE_BYTES = 4096,
};

struct tls {
    SSL_CTX *context;
    X509 *authority;
    X509_CRL *revoked; /* NULL: no list was given */
    struct memory *memory;

    SSL *session; /* NULL: no session yet */
    bool has_failed;
    bool is_up;
    uint8_t head[RECORD_HEAD_BYTES]; /* of the record that comes in */
    uint8_t head_count;
    uint32_t body_left;
    bool has_begun;    /* a byte has come in this session */
    uint32_t since_ms; /* a record came whole, or was begun, or everything was acknowledged */
};

/* --- hosts ---------------------------------------------------------------------------------------------------- */

static uint64_t seconds_of(const ASN1_TIME *time)
{
    int days = 0;
    int seconds = 0;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    bool is_known = (epoch != NULL) && (ASN1_TIME_diff(&days, &seconds, epoch, time) == 1);
    ASN1_TIME_free(epoch);
    int64_t since_1970 = ((int64_t)days * 86400) + seconds;
    return (is_known && (since_1970 > 0)) ? (uint64_t)since_1970 : 0U;
}

/* The authority has signed this time: the device's own never goes back behind it. */
static void move_time(struct tls *tls, const ASN1_TIME *time)
{
    uint64_t signed_s = seconds_of(time);
    if (signed_s > tls->memory->kept.trusted_time_s) {
        tls->memory->kept.trusted_time_s = signed_s;
        memory_commit(tls->memory);
    }
}

/* Section 11, "A host": the chain was verified before. */
static bool is_host(const struct tls *tls, X509 *certificate)
{
    X509_REVOKED *entry = NULL;
    uint32_t flags = X509_get_extension_flags(certificate);
    bool has_usage = (flags & EXFLAG_XKUSAGE) != 0U;
    bool is_client = has_usage && ((X509_get_extended_key_usage(certificate) & XKU_SSL_CLIENT) != 0U);
    bool is_authority = (flags & (EXFLAG_CA | EXFLAG_SS)) != 0U;
    bool is_over = seconds_of(X509_get0_notAfter(certificate)) < tls->memory->kept.trusted_time_s;
    bool is_revoked = (tls->revoked != NULL) && (X509_CRL_get0_by_cert(tls->revoked, &entry, certificate) != 0);
    return is_client && !is_authority && !is_over && !is_revoked;
}

static int verify(X509_STORE_CTX *chain, void *context)
{
    const struct tls *tls = context;
    if (X509_verify_cert(chain) != 1) {
        return 0;
    }
    if (is_host(tls, X509_STORE_CTX_get0_cert(chain))) {
        return 1;
    }
    X509_STORE_CTX_set_error(chain, X509_V_ERR_INVALID_PURPOSE);
    return 0;
}

/* --- files ---------------------------------------------------------------------------------------------------- */

static X509 *read_certificate(const char *path)
{
    FILE *file = fopen(path, "rb");
    X509 *certificate = (file == NULL) ? NULL : PEM_read_X509(file, NULL, NULL, NULL);
    if (file != NULL) {
        (void)fclose(file);
    }
    return certificate;
}

static X509_CRL *read_revoked(const char *path, X509 *authority)
{
    FILE *file = fopen(path, "rb");
    X509_CRL *revoked = (file == NULL) ? NULL : PEM_read_X509_CRL(file, NULL, NULL, NULL);
    if (file != NULL) {
        (void)fclose(file);
    }
    if ((revoked != NULL) && (X509_CRL_verify(revoked, X509_get0_pubkey(authority)) != 1)) {
        X509_CRL_free(revoked);
        revoked = NULL;
    }
    return revoked;
}

static uint64_t number_of(const X509_CRL *revoked)
{
    uint64_t number = 0;
    ASN1_INTEGER *found = X509_CRL_get_ext_d2i(revoked, NID_crl_number, NULL, NULL);
    if ((found != NULL) && (ASN1_INTEGER_get_uint64(&number, found) != 1)) {
        number = 0;
    }
    ASN1_INTEGER_free(found);
    return number;
}

/* --- setting up ----------------------------------------------------------------------------------------------- */

/* TLS 1.3 and the profile's group alone; no tickets, no cache. The time is the authority's, so it is checked here. */
static bool restrict_profile(struct tls *tls)
{
    X509_VERIFY_PARAM *rules = SSL_CTX_get0_param(tls->context);
    X509_STORE *store = SSL_CTX_get_cert_store(tls->context);
    X509_VERIFY_PARAM_set_depth(rules, 0);
    (void)X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_NO_CHECK_TIME | X509_V_FLAG_PARTIAL_CHAIN);
    (void)SSL_CTX_set_session_cache_mode(tls->context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_max_cert_list(tls->context, HANDSHAKE_MESSAGE_MAX);
    SSL_CTX_set_verify(tls->context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_cert_verify_callback(tls->context, verify, tls);
    return (SSL_CTX_set_min_proto_version(tls->context, TLS1_3_VERSION) == 1) &&
           (SSL_CTX_set1_groups_list(tls->context, "P-256") == 1) &&
           (SSL_CTX_set_num_tickets(tls->context, 0) == 1) && (X509_STORE_add_cert(store, tls->authority) == 1) &&
           (SSL_CTX_add_client_CA(tls->context, tls->authority) == 1);
}

struct tls *tls_open(const struct tls_files *files, struct memory *memory, const char **problem)
{
    struct tls *tls = calloc(1, sizeof *tls);
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    *problem = NULL;
    if ((tls == NULL) || (context == NULL)) {
        abort(); /* no memory */
    }
    tls->context = context;
    tls->memory = memory;
    tls->authority = read_certificate(files->authority);
    if (tls->authority == NULL) {
        *problem = "--authority is no certificate in PEM";
    } else if (SSL_CTX_use_certificate_file(context, files->certificate, SSL_FILETYPE_PEM) != 1) {
        *problem = "--certificate is no certificate in PEM";
    } else if (SSL_CTX_use_PrivateKey_file(context, files->key, SSL_FILETYPE_PEM) != 1) {
        *problem = "--key is not the certificate's private key in PEM";
    } else if (!restrict_profile(tls)) {
        *problem = "OpenSSL cannot do TLS 1.3 on P-256";
    } else if (files->revoked != NULL) {
        tls->revoked = read_revoked(files->revoked, tls->authority);
        *problem = (tls->revoked == NULL) ? "--revoked is no list in PEM that the authority has signed" : NULL;
    } else {
        /* all is there */
    }
    if (*problem != NULL) {
        X509_free(tls->authority);
        SSL_CTX_free(context);
        free(tls);
        return NULL;
    }
    return tls;
}

bool tls_started(struct tls *tls)
{
    uint64_t number = (tls->revoked == NULL) ? 0U : number_of(tls->revoked);
    if (number < tls->memory->kept.revocations) {
        return false;
    }
    if (tls->revoked != NULL) {
        tls->memory->kept.revocations = number;
        memory_commit(tls->memory);
        move_time(tls, X509_CRL_get0_lastUpdate(tls->revoked));
    }
    return true;
}

/* --- a session ------------------------------------------------------------------------------------------------ */

static void begin(void *context)
{
    struct tls *tls = context;
    SSL_free(tls->session);
    tls->session = SSL_new(tls->context);
    BIO *incoming = BIO_new(BIO_s_mem());
    BIO *outgoing = BIO_new(BIO_s_mem());
    if ((tls->session == NULL) || (incoming == NULL) || (outgoing == NULL)) {
        abort(); /* no memory */
    }
    SSL_set_bio(tls->session, incoming, outgoing);
    SSL_set_accept_state(tls->session);
    tls->has_failed = false;
    tls->is_up = false;
    tls->has_begun = false;
    tls->head_count = 0;
    tls->body_left = 0;
}

/* Follow the records that come in: so it is known whether one is unfinished. */
static void count_record(struct tls *tls, uint8_t byte, uint32_t now_ms)
{
    if (tls->body_left > 0U) {
        tls->body_left--;
    } else {
        tls->since_ms = (tls->head_count == 0U) ? now_ms : tls->since_ms;
        tls->head[tls->head_count] = byte;
        tls->head_count++;
        if (tls->head_count < RECORD_HEAD_BYTES) {
            return;
        }
        tls->body_left = get_u16(&tls->head[RECORD_HEAD_BYTES - 2]);
    }
    if (tls->body_left == 0U) {
        tls->head_count = 0;
        tls->since_ms = now_ms;
    }
}

static void take_stream(struct tls *tls, struct link *link, uint32_t now_ms)
{
    BIO *incoming = SSL_get_rbio(tls->session);
    uint8_t bytes[CHUNK_BYTES];
    while (BIO_ctrl_pending(incoming) < CIPHERTEXT_MAX) {
        size_t count = link_read(link, bytes, sizeof bytes);
        if (count == 0U) {
            return;
        }
        tls->has_begun = true;
        for (size_t i = 0; i < count; i++) {
            count_record(tls, bytes[i], now_ms);
        }
        (void)BIO_write(incoming, bytes, (int)count);
    }
}

static void give_stream(struct tls *tls, struct link *link)
{
    BIO *outgoing = SSL_get_wbio(tls->session);
    uint8_t bytes[CHUNK_BYTES];
    size_t room = link_space(link);
    while ((room > 0U) && (BIO_ctrl_pending(outgoing) > 0U)) {
        int count = BIO_read(outgoing, bytes, (int)((room < sizeof bytes) ? room : sizeof bytes));
        link_write(link, bytes, (size_t)count);
        room = link_space(link);
    }
}

/* True if the library has failed, and not only wants more bytes. */
static bool is_failure(const struct tls *tls, int result)
{
    return (result <= 0) && (SSL_get_error(tls->session, result) != SSL_ERROR_WANT_READ);
}

static void shake_hands(struct tls *tls)
{
    ERR_clear_error();
    int result = SSL_do_handshake(tls->session);
    tls->has_failed = is_failure(tls, result);
    if (result == 1) {
        tls->is_up = true;
        move_time(tls, X509_get0_notBefore(SSL_get0_peer_certificate(tls->session)));
    }
}

/* Section 11: a handshake or a record was begun, and nothing has come whole for 10 s. */
static bool is_stuck(struct tls *tls, const struct link *link, uint32_t now_ms)
{
    bool is_unfinished = tls->has_begun && (!tls->is_up || (tls->head_count > 0U));
    bool awaits_link = !tls->is_up && !link_has_sent_all(link);
    if (!is_unfinished || awaits_link) {
        tls->since_ms = now_ms;
    }
    return has_come(now_ms, tls->since_ms + UNFINISHED_MS);
}

static enum security_state work(void *context, struct link *link, uint32_t now_ms)
{
    struct tls *tls = context;
    take_stream(tls, link, now_ms);
    if (!tls->is_up && !tls->has_failed) {
        shake_hands(tls);
    }
    give_stream(tls, link);
    if (tls->has_failed || is_stuck(tls, link, now_ms)) {
        return SECURITY_FAILED;
    }
    return tls->is_up ? SECURITY_UP : SECURITY_OPENING;
}

static size_t read_stream(void *context, struct link *link, uint8_t *bytes, size_t room)
{
    struct tls *tls = context;
    (void)link; /* `work` has taken what it had */
    ERR_clear_error();
    int count = SSL_read(tls->session, bytes, (int)room);
    tls->has_failed = tls->has_failed || is_failure(tls, count); /* close_notify included */
    return (count > 0) ? (size_t)count : 0U;
}

static size_t space(void *context, const struct link *link)
{
    const struct tls *tls = context;
    size_t taken = BIO_ctrl_pending(SSL_get_wbio(tls->session)) + RECORD_OVERHEAD_BYTES;
    size_t left = link_space(link);
    return (left > taken) ? (left - taken) : 0U;
}

static void write_stream(void *context, struct link *link, const uint8_t *bytes, size_t count)
{
    struct tls *tls = context;
    ERR_clear_error();
    if ((count > 0U) && (SSL_write(tls->session, bytes, (int)count) <= 0)) {
        tls->has_failed = true;
    }
    give_stream(tls, link);
}

struct security tls_security(struct tls *tls)
{
    return (struct security){
        .context = tls,
        .number = SECURITY_TLS_1_3,
        .begin = begin,
        .work = work,
        .read = read_stream,
        .space = space,
        .write = write_stream,
    };
}

/* --- the device's key ----------------------------------------------------------------------------------------- */

void *key_open(const char *path)
{
    FILE *file = fopen(path, "rb");
    EVP_PKEY *key = (file == NULL) ? NULL : PEM_read_PrivateKey(file, NULL, NULL, NULL);
    if (file != NULL) {
        (void)fclose(file);
    }
    return key;
}

size_t key_sign(void *context, const uint8_t *bytes, size_t count, uint8_t *signature)
{
    EVP_PKEY *key = context;
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    size_t length = SIGNATURE_MAX;
    const EVP_MD *hash = (EVP_PKEY_get_id(key) == EVP_PKEY_ED25519) ? NULL : EVP_sha256();
    bool is_signed = (digest != NULL) && (EVP_DigestSignInit(digest, NULL, hash, NULL, key) == 1) &&
                     (EVP_DigestSign(digest, signature, &length, bytes, count) == 1);
    EVP_MD_CTX_free(digest);
    return is_signed ? length : 0U;
}

bool digest_of_file(const char *path, uint8_t *digest)
{
    uint8_t bytes[FILE_BYTES];
    FILE *file = fopen(path, "rb");
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    bool is_good = (file != NULL) && (hash != NULL) && (EVP_DigestInit_ex(hash, EVP_sha256(), NULL) == 1);
    for (size_t count = sizeof bytes; is_good && (count == sizeof bytes);) {
        count = fread(bytes, 1, sizeof bytes, file);
        is_good = (ferror(file) == 0) && (EVP_DigestUpdate(hash, bytes, count) == 1);
    }
    is_good = is_good && (EVP_DigestFinal_ex(hash, digest, NULL) == 1);
    EVP_MD_CTX_free(hash);
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_good;
}
