// Advice for each reason why a signature fails; diagnose.ts finds the reason.

export const DIAGNOSES = [
  'no_keys',
  'missing_header',
  'renamed_header',
  'repeated_header',
  'decorated_header',
  'truncated_header',
  'overlong_header',
  'base64_header',
  'unreadable_header',
  'other_algorithm',
  'key_expired',
  'other_environment',
  'headers_swapped',
  'public_key_as_secret',
  'secret_with_white_space',
  'body_reserialised',
  'body_line_ending',
  'body_byte_order_mark',
  'body_base64',
  'body_is_public_key',
  'merchant_signature_only_wrong',
  'signature_of_another_body',
  'wrong_key',
] as const;
export type DiagnosisCode = (typeof DIAGNOSES)[number];

const HEADERS_ON_THE_WAY =
  'Let the proxy pass the request headers payloadSignature, merchantSignature and timestamp as they are. nginx: no ' +
  '`proxy_pass_request_headers off` and no `proxy_set_header` for them; names with underscores need ' +
  '`underscores_in_headers on`. Apache httpd: no `RequestHeader unset` or `edit`. Caddy: no `request_header -…`. A CDN ' +
  'or API gateway: allow these headers explicitly in its header or transform rules.';

const BYTES_ON_THE_WAY =
  'The HMAC is over the bytes as sent, so nothing may parse and rewrite them. nginx, Apache httpd and Caddy pass bodies ' +
  'unchanged unless a module edits them (scripting, substitution or input filters). A CDN or API gateway: switch off ' +
  'JSON transformation, body mapping templates and validation that re-encodes; choose pass-through. An application in ' +
  'front: forward the raw body, not the parsed one.';

const SAVED_BYTES = 'If you saved the body by hand, save the bytes: editors and `echo` add line breaks or marks. ';

const WHICH_KEY =
  'Compare the configured secret key with the one the service shows for this environment, and check that the webhook ' +
  'comes from the same merchant account. During a rotation keep the old pair in the list, with a notAfter.';

export const ADVICE: Readonly<Record<DiagnosisCode, string>> = {
  no_keys: 'Configure the key pair: `tallyhook init`, or keys in tallyhook.yaml, or the TALLYHOOK_… key variables.',
  missing_header: `Check that the sender signs this kind of event. ${HEADERS_ON_THE_WAY}`,
  renamed_header: `Something on the way renamed the header. ${HEADERS_ON_THE_WAY}`,
  repeated_header: `Several signatures are ambiguous. Make sure that only one hop sets the header. ${HEADERS_ON_THE_WAY}`,
  decorated_header:
    'The header must hold the 128 hexadecimal characters alone: no quotes, spaces, or `sha512=` prefix.',
  truncated_header:
    'The header must hold all 128 hexadecimal characters. Look for a limit on header length: nginx ' +
    '`large_client_header_buffers`, Apache httpd `LimitRequestFieldSize`, a gateway limit, a log that cuts lines.',
  overlong_header: 'The header must hold exactly 128 hexadecimal characters; something was appended on the way.',
  base64_header: 'The signature must be written in hexadecimal, not base64: use the hex form of the digest.',
  unreadable_header: 'The header must hold exactly 128 hexadecimal characters.',
  other_algorithm: 'The service signs with HMAC SHA-512. Use it in the signer.',
  key_expired: 'Move or remove the notAfter of this pair if its deliveries are still expected.',
  other_environment:
    'Give the test webhook URL to the test environment and the live one to the live environment, or use /webhooks, ' +
    'which takes both.',
  headers_swapped: 'Swap the two headers: payloadSignature signs the body, merchantSignature signs the public key.',
  public_key_as_secret: 'The signer used the public key as the HMAC key. It must use the secret key.',
  secret_with_white_space:
    'The signer reads the secret key with a line break, space or quotes around it. Trim it where it is read.',
  body_reserialised: BYTES_ON_THE_WAY,
  body_line_ending: SAVED_BYTES + BYTES_ON_THE_WAY,
  body_byte_order_mark: SAVED_BYTES + BYTES_ON_THE_WAY,
  body_base64: 'A gateway delivers bodies as base64. Switch that off, or decode before passing them on.',
  body_is_public_key:
    'The service does not send this. Anyone who has seen one request can send it: the signature of the public key is the ' +
    'merchantSignature, the same text in every request. There is nothing to change.',
  merchant_signature_only_wrong:
    'The body is authentic, the merchantSignature is not of this key pair. Check the configured public key: it must ' +
    'belong to the same pair as the secret key.',
  signature_of_another_body:
    'The key is right, so these are the headers of another delivery, or the body was changed on the way. ' +
    BYTES_ON_THE_WAY,
  wrong_key: WHICH_KEY,
};
