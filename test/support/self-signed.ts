import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

// For localhost and 127.0.0.1, from 2000 to 2099. It protects nothing: the key is public.
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg609wBPrOjQDESPEG
YeVnBBtbxaGBkmRgAQE0Le4FKXyhRANCAAT7m2VprK/Ndv7d4eMSzcnJk4+mMGeu
nfHhkNf3KaGB9MwDhwa21E7Xjg9oo2e+3b+F0ydF+21QdOENZ1cHRo6T
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBVTCB/KADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
dDAgFw0wMDAxMDEwMDAwMDBaGA8yMDk5MTIzMTAwMDAwMFowFDESMBAGA1UEAwwJ
bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE+5tlaayvzXb+3eHj
Es3JyZOPpjBnrp3x4ZDX9ymhgfTMA4cGttRO144PaKNnvt2/hdMnRfttUHThDWdX
B0aOk6M9MDswGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBQK
9noAcbTMH0mLxqLhV9B8a3AUHzAKBggqhkjOPQQDAgNIADBFAiEAkbYfvMMUtR6G
0j2jhottxnUZbdkt55UEUFnDYjTc430CID8JfYGYZBY4bcAgg1Y/BUC1YWtbnZzX
5kyDFQeT5CxA
-----END CERTIFICATE-----`;

/** An https server with a self-signed certificate, which answers 200. */
export async function selfSignedServer(): Promise<{ url: string; server: Server }> {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => response.end('{}'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
