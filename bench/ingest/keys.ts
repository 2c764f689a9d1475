/** The key pair that signs and verifies in every benchmark. */
export const PUBLIC_KEY = 'pk_test_bench_public_key_000000000000';
export const SECRET_KEY = 'sk_test_bench_secret_key_000000000000';
