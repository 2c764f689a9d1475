import * as oidc from 'openid-client';
import { TallyhookError } from '../domain/error.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import type { Clock } from '../time/clock.ts';
import type { Seal } from './seal.ts';

/*
 * Logins that an identity provider proves (OpenID Connect: authorisation code, PKCE, state, nonce, issuer). Only users that are listed here log
 * in; the provider says who it is, never what that person may.
 */

export interface IdentitySettings {
  /** `https://login.example.com/…`; http on this machine alone. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** The claim that has the name of the user: `email` (which must be verified), `preferred_username`. */
  readonly claim: string;
}

export interface IdentityParts {
  readonly seal: Seal;
  readonly random: (bytes: number) => Uint8Array;
  readonly clock: Clock;
}

/** Who the provider says it is: for `Logins.withSubject`. */
export interface ProvenIdentity {
  readonly name: string;
  /** Issuer and subject: bound to the user at the first login. */
  readonly subject: string;
}

/** The provider does not answer, or its answer is not valid for this login. The cause is for the log; a page says one sentence. */
export class IdentityError extends TallyhookError {
  override readonly name = 'IdentityError';

  constructor(message: string, cause?: unknown, kind: 'unauthorized' | 'unavailable' = 'unauthorized') {
    super(message, { kind, hint: 'Log in again.', cause });
  }
}

/** How long a person may take at the provider. */
const ROUND_MS = 10 * 60_000;
const TIMEOUT_SECONDS = 10;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** What the browser carries meanwhile, sealed: it belongs to the one who began. */
interface Round {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly callback: string;
  readonly untilMs: number;
}

export class IdentityProvider {
  readonly #settings: IdentitySettings;
  readonly #parts: IdentityParts;
  #known: Promise<oidc.Configuration> | undefined;

  constructor(settings: IdentitySettings, parts: IdentityParts) {
    this.#settings = settings;
    this.#parts = parts;
  }

  /** Where the browser goes, and what it carries in a cookie until it comes back to `callback`. @throws IdentityError */
  async begin(callback: string): Promise<{ readonly url: string; readonly carried: string }> {
    const provider = await this.#provider();
    const { seal, random, clock } = this.#parts;
    const [state, nonce, verifier] = [32, 32, 32].map((bytes) => Buffer.from(random(bytes)).toString('base64url')) as [
      string,
      string,
      string,
    ];
    const round: Round = { state, nonce, verifier, callback, untilMs: clock.nowMs() + ROUND_MS };
    const url = oidc.buildAuthorizationUrl(provider, {
      ...{ redirect_uri: callback, scope: 'openid profile email', response_type: 'code', state, nonce },
      // The person types it: a session at the provider alone says nothing of who sits there.
      ...{ prompt: 'login', max_age: '0' },
      ...{ code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    return { url: url.href, carried: seal.seal(Buffer.from(JSON.stringify(round)), CONTEXT) };
  }

  /** Who came back. `query`: of the address at which the browser came back; `carried`: from its cookie. @throws IdentityError */
  async finish(query: string, carried: string | null): Promise<ProvenIdentity> {
    const round = this.#round(carried);
    const provider = await this.#provider();
    const address = new URL(round.callback);
    address.search = query;
    try {
      const tokens = await oidc.authorizationCodeGrant(provider, address, {
        ...{ pkceCodeVerifier: round.verifier, expectedState: round.state, expectedNonce: round.nonce },
        idTokenExpected: true,
        maxAge: ROUND_MS / 1_000,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new IdentityError('The identity provider sent no identity.');
      const { claim } = this.#settings;
      const facts =
        claims[claim] === undefined ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub) : claims;
      return { name: nameIn(facts, claim), subject: `${claims.iss} ${claims.sub}` };
    } catch (error) {
      throw error instanceof IdentityError
        ? error
        : new IdentityError('The answer of the identity provider is not valid for this login.', error);
    }
  }

  #round(carried: string | null): Round {
    const { seal, clock } = this.#parts;
    const bytes = carried === null ? null : seal.open(carried, CONTEXT);
    if (bytes === null) throw new IdentityError('This login was not begun in this browser.');
    const round: Round = JSON.parse(Buffer.from(bytes).toString());
    if (clock.nowMs() < round.untilMs && round.untilMs <= clock.nowMs() + ROUND_MS) return round;
    throw new IdentityError('This login took too long.');
  }

  /** What the provider says of itself; asked for again after it failed. */
  #provider(): Promise<oidc.Configuration> {
    this.#known ??= this.#discovered().catch((error) => {
      this.#known = undefined;
      throw new IdentityError('The identity provider does not answer.', error, 'unavailable');
    });
    return this.#known;
  }

  async #discovered(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    const isHere = url.protocol === 'http:' && LOOPBACK.test(url.hostname);
    const options = { timeout: TIMEOUT_SECONDS, ...(isHere && { execute: [oidc.allowInsecureRequests] }) };
    return oidc.discovery(url, clientId, clientSecret.reveal(), undefined, options);
  }
}

const CONTEXT = 'oidc round';

function nameIn(facts: Readonly<Record<string, unknown>>, claim: string): string {
  const name = facts[claim];
  if (typeof name !== 'string' || name.trim() === '')
    throw new IdentityError(`The identity has no ${claim}, which would name the user.`);
  if (claim === 'email' && facts.email_verified !== true)
    throw new IdentityError('The identity provider did not verify the e-mail address.');
  return name;
}
