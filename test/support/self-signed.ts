import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

// For localhost, 127.0.0.1 and hooks.example.com, from 2000 to 2099. It protects nothing: the key is public.
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg609wBPrOjQDESPEG
YeVnBBtbxaGBkmRgAQE0Le4FKXyhRANCAAT7m2VprK/Ndv7d4eMSzcnJk4+mMGeu
nfHhkNf3KaGB9MwDhwa21E7Xjg9oo2e+3b+F0ydF+21QdOENZ1cHRo6T
-----END PRIVATE KEY-----`;
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBajCCAQ+gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMDAwMTAxMDAwMDAwWhgPMjA5OTEyMzEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPubZWmsr812/t3h
4xLNycmTj6YwZ66d8eGQ1/cpoYH0zAOHBrbUTteOD2ijZ77dv4XTJ0X7bVB04Q1n
VwdGjpOjUDBOMC0GA1UdEQQmMCSCCWxvY2FsaG9zdIcEfwAAAYIRaG9va3MuZXhh
bXBsZS5jb20wHQYDVR0OBBYEFAr2egBxtMwfSYvGouFX0HxrcBQfMAoGCCqGSM49
BAMCA0kAMEYCIQDicoUqxknBlcyEA8SIpIHlfvmPLgo1lUnV0yQZjBdIAgIhALky
LXwtrRH6H5hW8YxQsrTxwUyibSyADQ4B5Po7LZri
-----END CERTIFICATE-----`;

/** An https server with a self-signed certificate, which answers 200. */
export async function selfSignedServer(): Promise<{ url: string; server: Server }> {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => response.end('{}'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
