import { closeSync, openSync, readSync } from 'node:fs';
import type { Config } from '../../src/config/load.ts';
import { reasonOf } from '../../src/config/problems.ts';
import { requireKeyPairs } from '../../src/config/required-keys.ts';
import { ENVIRONMENTS } from '../../src/domain/environment.ts';
import { TallyhookError } from '../../src/domain/error.ts';
import type { PayloadDecoder } from '../../src/domain/events/event.ts';
import { aesCbcCodec } from '../../src/domain/requests/payload-codec.ts';
import { type Diagnosis, diagnose } from '../../src/receive/diagnose/diagnose.ts';
import { configFrom } from '../context/config.ts';
import { type Cli, UsageError } from '../options/options.ts';
import { SUMMARY } from '../overview.ts';
import { answeredNo, print, printJson, verdictText } from '../show/output.ts';
import { byteCount } from '../show/text.ts';
import { parseHeaders } from './verify/headers-file.ts';

/** `tallyhook verify FILE`: checks the signature of a saved delivery and explains a failure. */
export function addVerifyCommand(cli: Cli): Cli {
  return cli.command(
    'verify <file>',
    SUMMARY.verify,
    (command) =>
      command
        .positional('file', { type: 'string', demandOption: true, describe: 'The raw body as received; - for stdin' })
        .option('headers', { type: 'string', requiresArg: true, describe: 'File of `Name: value` lines, or JSON' })
        .option('payload-signature', { type: 'string', requiresArg: true, describe: 'Value of payloadSignature' })
        .option('merchant-signature', { type: 'string', requiresArg: true, describe: 'Value of merchantSignature' })
        .option('environment', { choices: ENVIRONMENTS, describe: 'The webhook URL it was sent to' })
        .conflicts('headers', ['payload-signature', 'merchant-signature'])
        .example('$0 verify body.json --headers headers.txt', 'Both saved from a failing request')
        .example('$0 verify - --payload-signature 9f3c… --merchant-signature 17ab… < body.json', 'The body from stdin'),
    async (argv) => {
      if (argv.headers === undefined && argv.payloadSignature === undefined && argv.merchantSignature === undefined) {
        closeUnlessStdin(opened(argv.file)); // a missing file is the first mistake
        throw new UsageError('Which signature? Give --headers FILE, or --payload-signature and --merchant-signature.');
      }
      const config = await configFrom(argv);
      const keyPairs = requireKeyPairs(config);
      const body = contentOf(argv.file, config.receiver.bodyLimitBytes);
      const headers =
        argv.headers === undefined
          ? { payloadSignature: argv.payloadSignature, merchantSignature: argv.merchantSignature }
          : parseHeaders(contentOf(argv.headers).toString('utf8'));
      const { environment } = argv;
      const { strict } = config.receiver;
      const options = { now: Date.now(), environment, strict, decode: payloadDecoder(config) };
      const diagnosis = diagnose(body, headers, keyPairs, options);
      if (argv.json) printJson(asJson(diagnosis, body.length));
      else printDiagnosis(diagnosis, body.length);
      if (!diagnosis.verification.ok) answeredNo();
    },
  );
}

/** Decrypts as `serve` does, because the kind of an encrypted event is inside (decision 86). */
function payloadDecoder({ service: { encryption } }: Config): PayloadDecoder | undefined {
  if (encryption === null) return undefined;
  const codec = aesCbcCodec({ keyHex: encryption.key, ivHex: encryption.iv });
  return (payload) => codec.decode(payload);
}

function printDiagnosis({ verification, verdicts }: Diagnosis, bytes: number): void {
  if (verification.ok) {
    const { id, environment } = verification.keyPair;
    print(verdictText('valid', true));
    print(`  ${bytes} bytes, signed by ${id} (${environment})`);
    if (verification.merchantSignaturePresent) return;
    print('  No merchantSignature: an event of this kind may come without one.');
    return;
  }
  print(verdictText(`invalid: ${verification.reason}`, false));
  for (const { finding, advice } of verdicts) print(`  ${finding}\n  ${advice}`);
}

function asJson({ verification, verdicts }: Diagnosis, bytes: number): object {
  const { ok } = verification;
  return {
    valid: ok,
    bytes,
    keyId: ok ? verification.keyPair.id : null,
    environment: ok ? verification.keyPair.environment : null,
    merchantSignaturePresent: ok ? verification.merchantSignaturePresent : null,
    reason: ok ? null : verification.reason,
    verdicts,
  };
}

const STDIN = 0;
/** Bytes of a file of headers, more than a request may have. */
const HEADERS_BYTES = 1024 * 1024;

/** @throws TallyhookError when it cannot be read, or has more than `limitBytes`: no more than these are read */
function contentOf(file: string, limitBytes = HEADERS_BYTES): Buffer {
  const descriptor = opened(file);
  const content = Buffer.alloc(limitBytes + 1);
  let length = 0;
  try {
    for (;;) {
      const read = readSync(descriptor, content, length, content.length - length, null);
      length += read;
      if (read === 0 || length === content.length) break;
    }
  } catch (cause) {
    throw notReadable(file, cause);
  } finally {
    closeUnlessStdin(descriptor);
  }
  if (length <= limitBytes) return content.subarray(0, length);
  const hint = 'serve refuses such a body with 413 (receiver.bodyLimitBytes). Is it the raw body of one delivery?';
  throw new TallyhookError(`${file} has more than ${byteCount(limitBytes)}.`, { kind: 'usage', hint });
}

function opened(file: string): number {
  try {
    return file === '-' ? STDIN : openSync(file, 'r');
  } catch (cause) {
    throw notReadable(file, cause);
  }
}

function closeUnlessStdin(descriptor: number): void {
  if (descriptor !== STDIN) closeSync(descriptor);
}

function notReadable(file: string, cause: unknown): TallyhookError {
  const hint = 'Give the path of a file that this user can read.';
  return new TallyhookError(`Cannot read ${file}: ${reasonOf(cause)}.`, { kind: 'usage', hint, cause });
}
