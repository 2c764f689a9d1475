import { networkFault } from '../../../src/service/calls/network-fault.ts';

/** Why an address did not answer, as the end of a sentence, and what to do about it. */
export interface ConnectionFault {
  readonly what: string;
  readonly hint: string;
}

const TLS: readonly (readonly [codes: RegExp, fault: ConnectionFault])[] = [
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/,
    {
      what: 'its certificate is self-signed',
      hint: 'Senders refuse such a certificate. Install one of a public authority, with its whole chain.',
    },
  ],
  [/^CERT_HAS_EXPIRED$/, { what: 'its certificate has expired', hint: 'Renew the certificate and reload the proxy.' }],
  [
    /^CERT_NOT_YET_VALID$/,
    { what: 'its certificate is not valid yet', hint: 'Check the clock of this machine and the certificate.' },
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    {
      what: 'its certificate is for another host name',
      hint: 'Install a certificate for this name, or correct the name in the URL.',
    },
  ],
  [
    /^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY)$/,
    {
      what: 'the chain of its certificate is not complete, or its authority is unknown',
      hint: 'Install the certificate with its intermediate certificates (fullchain.pem).',
    },
  ],
  [
    /^(EPROTO|ERR_SSL_)/,
    {
      what: 'it does not speak TLS as expected',
      hint: 'Does this port speak https? Check the port and http or https.',
    },
  ],
];

/** Describes an error of `fetch` or of the client. `refused` is the advice for an address where nothing listens. */
export function connectionFault(error: unknown, refused: string): ConnectionFault {
  if (isTimeout(error))
    return { what: 'no answer in time', hint: `The connection or the answer takes too long. ${refused}` };
  const { reason, code } = faultOf(error);
  const shown = code === '' ? '' : ` (${code})`;
  if (reason === 'tls') {
    const { what, hint } = TLS.find(([codes]) => codes.test(code))?.[1] ?? {
      what: 'its certificate or TLS is refused',
      hint: 'Look at the TLS settings of that address.',
    };
    return { what: `${what}${shown}`, hint };
  }
  if (reason === 'name')
    return { what: `no address is known for its host name${shown}`, hint: 'Check the host name and the DNS.' };
  if (reason === 'refused') return { what: `nothing listens there${shown}`, hint: refused };
  if (reason === 'connect')
    return { what: `no connection can be made${shown}`, hint: 'Check the address, the route and the firewalls.' };
  return { what: `the connection broke before an answer${shown}`, hint: refused };
}

function isTimeout(error: unknown): boolean {
  const { name, reason, cause } = Object(error) as { name?: unknown; reason?: unknown; cause?: unknown };
  const code = String((Object(cause) as { code?: unknown }).code);
  return name === 'TimeoutError' || reason === 'timeout' || reason === 'idle' || /TIMEOUT$/.test(code);
}

/** The client's errors carry their reason; those of `fetch` only a code. */
function faultOf(error: unknown): { reason: string; code: string } {
  const { reason, code } = Object(error) as { reason?: unknown; code?: unknown };
  if (typeof reason === 'string' && typeof code === 'string') return { reason, code };
  return networkFault(error);
}
