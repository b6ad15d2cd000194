#pragma once
#include <sodium/core.h>
#include <sodium/crypto_auth_hmacsha512.h>
#include <sodium/crypto_sign_ed25519.h>
#include <sodium/randombytes.h>
#include <sodium/utils.h>
