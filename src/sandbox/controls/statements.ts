import type { DialectName } from '../statements/dialects.ts';
import type { FileChaos } from '../statements/file-chaos.ts';
import type { StatementKind } from '../statements/statement.ts';
import { type StatementFile, statementFile } from '../statements/write.ts';
import { readControl } from '../wire/control-input.ts';
import { refuseControl } from '../wire/refusal.ts';
import type { Currency } from '../world/records.ts';
import { BankControls } from './bank.ts';
import { statementSchema } from './input.ts';
import { noSuch, type Whose } from './records.ts';

/** The statement wanted of `statement`. */
export interface StatementRequest extends Whose {
  readonly kind: StatementKind;
  /** First and last day, `yyyy-MM-dd`; both are included. */
  readonly from: string;
  readonly to: string;
  readonly dialect: DialectName;
  /** Default: the only currency that moved on these days. */
  readonly currency?: Currency | undefined;
  /** With kind `wallet`: the code of a named wallet. Default: the balance. */
  readonly wallet?: string | undefined;
  /** The zone of its days and times. Default: UTC. */
  readonly zone?: string | undefined;
  /** Lines with each fault. */
  readonly chaos?: FileChaos | undefined;
  /** Decides which lines have the faults. Default: the seed of the sandbox. */
  readonly seed?: number | undefined;
}

/** The controls over statement files. */
export class StatementControls extends BankControls {
  /** The statement of an account as a file of a dialect, from the sandbox's own books. */
  async statement(request: StatementRequest): Promise<StatementFile> {
    const { kind, from, to, dialect, chaos = {}, ...wanted } = readControl(statementSchema, request);
    const { merchant, environment } = this.scope({ merchant: wanted.merchant, environment: wanted.environment });
    const { wallet = null, zone = 'UTC', currency, seed = this.world.state.seed } = wanted;
    if (wallet !== null && kind !== 'wallet')
      throw refuseControl(422, `A ${kind} statement is not of a wallet`, 'Leave the wallet out.');
    if (wallet !== null && !Object.hasOwn(merchant.wallets[environment], wallet))
      throw noSuch('wallet', wallet, 'balances');
    const span = { kind, merchantId: merchant.id, environment, currency, wallet, from, to, zone };
    return statementFile(this.world, { span, dialect, chaos, seed });
  }
}
