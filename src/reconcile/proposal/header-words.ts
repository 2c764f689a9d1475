import { CODES } from './currency-codes.ts';
import { foldedWord } from './fold.ts';

// Words that headers of exports have in English, French, German, Italian, Portuguese, Spanish and some in Swedish and Dutch, lower case and
// without accents.
// They serve a proposal only: a person confirms it.

const any = (...words: string[]) => new RegExp(`^(${words.join('|')})$`);

/** Columns in the order in which they are looked for: the more exact words come first. */
export const HEADER_WORDS = {
  valueDate: any(
    'value ?(date|dt)|date ?value|effective ?date|booking value|date (de )?valeur|valuta(datum)?|wertstellung',
    'fecha (de )?valor|data (de )?valor|data valuta',
  ),
  date: any(
    '(transaction |trans |posting |posted |booking |entry |created |tran )?(date|day)( ?time)?|date (posted|created)|created ?at',
    'date (d )?operation|date comptable|(buchungs|beleg)?(tag|datum)|(bokforings|transaktions)(dag|datum)|boek(ings)?datum',
    'fecha( (de )?(la )?operacion| contable| de registro)?',
    'data( (d[ao] |de )?(operacao|transacao|lancamento|movimento)| (contabile|operazione|registrazione))?',
  ),
  time: any('(transaction )?time|heure|(uhr)?zeit|hora|orario|ora'),
  sessionId: /session|sessao|sesion|sitzung|seance/,
  transactionReference: any(
    '(transaction|trans|txn|gateway|provider|service|payment) ?(ref(erence)?|id|no|number)',
    '(id |n |no |numero )?((d[ae] )?(la |l )?)(transacao|transaccion|transazione)( id)?|id (de )?(la )?transaction|transaktions ?(id|nummer|nr)',
  ),
  group:
    /^(?!.*(\b(date|day|time|tag|fecha|data)|datum)\b)(.*(batch|settlement (id|ref(erence)?|no)|payout id)|((n|no|num|numero|id) )?(d[eo] |du |del )?(lote|lot|lotto|remise|remesa|bordereau|distinta|group|gruppe|groupe|grupo|gruppo)( (id|no|nr|num|number|ref))?$|stapel(nummer|nr)?$)/,
  reference:
    /ref(erence)?( ?(no|number|id))?$|^(merchant|order|your|customer) ?(ref(erence)?|id|no)$|^(order|order id|invoice)$|^((kunden|end to end )?referenz(nummer|nr)?|referencia|rif(erimento)?|ref)( (n|no|nr|num|numero|cliente|client))?$/,
  debit: any(
    'debits?|debet|uttag|withdrawals?|withdrawn|money out|paid out|out|dr|(debit|withdrawal) (amount|amt)|amount out|sorties?|soll|belastung(en)?|lastschrift(en)?',
    'debe|debitos?|cargos?|egresos?|salidas?|saidas?|dare|addebit[oi]|uscit[ae]',
    '(montant|betrag|importe|valor|importo) (debit|soll|debito|debe|dare)',
  ),
  credit: any(
    'credits?|kredit|insattning(ar)?|deposits?|lodge?ments?|money in|paid in|in|cr|(credit|deposit) (amount|amt)|amount in|entrees?|haben|gutschrift(en)?',
    'haber|creditos?|abonos?|ingresos?|depositos?|entradas?|avere|accredit[oi]|entrat[ae]',
    '(montant|betrag|importe|valor|importo) (credit|haben|credito|haber|avere)',
  ),
  sign: any(
    'dr ?cr|cr ?dr|[dc] ?[cd]|s ?h|(debit ?credit|credit ?debit|soll haben|debito? credito?|debe haber|dare avere)( (indicator|kennzeichen|kz))?',
    's h (kennzeichen|kz)|direction|sign|side|indicator|sens|signe|vorzeichen|signo|sinal|segno|sentido|verso',
  ),
  balance: /balance|saldo|solde|kontostand/,
  fee: any(
    '(fees?|charges?|commissions?|service (fee|charge)|processing fee)( amount)?|frais|gebuhr(en)?|entgelte?|provision(en)?',
    'comision(es)?|comissao|comissoes|commission[ei]|tarifas?|tariffe?|taxas?|encargos?|spese|cout',
  ),
  duty: /duty|levy|\b(selos?|sellos?|timbres?|boll[oi]|stempel\p{L}*)\b/u,
  tax: any(
    '(vat|tax|taxes)( amount)?|(vat|tax) on fees?|taxes?|tva|impots?|mw ?st|ust|(mehrwert|umsatz)?steuern?',
    '(iva|impostos?|impuestos?|imposta|imposte|iss|icms)',
    '(iva|imposto|impuesto|imposta|tva|mw ?st|taxe) (sobre|sur|auf|su) .*',
  ),
  gross: any('gross( amount)?|(montant )?brut|brutto(betrag)?|((valor|importe|monto) )?bruto|(importo )?lordo'),
  net: any(
    'net( amount)?|net settlement|montant net|netto(betrag)?|((valor|importe|monto) )?neto|((valor|importo) )?(liquido|netto)',
  ),
  currency: any('currency|ccy|curr|currency code|devise|monnaie|wahrung|moneda|divisa|moeda'),
  type: any(
    'type|transaction type|trans type|txn type|category|kind|entry type|operation|event',
    'type (d )?(operation|mouvement)|type de mouvement|nature|categorie|vorgang|(buchungs|umsatz|vorgangs)?art|geschaftsvorfall|kategorie',
    'tipo( (d[ei] |de la )?(operacion|operacao|operazione|movimiento|movimento|transaccion|transacao))?',
    'operacion|operacao|operazione|categoria|clase|natureza|naturaleza',
  ),
  counterparty:
    /beneficiaire|empfanger|beneficiari[oa]|beneficiary|counter ?part|contrepartie|contraparte|controparte|customer name|payee|payer|sender|recipient|auftraggeber|donneur d ordre|favorecido|ordenante|ordinante|destinatari|remetente|remitente|pagador/,
  text: /libelle|verwendungszweck|buchungstext|beschreibung|bezeichnung|concepto|descri[cpz]|historico|detalhe|detalle|dettagli|causale|observac|motif|glosa|rubrik|meddelande|omschrijving|narration|details|remarks?|memo|text|particulars|note/,
  signed: any(
    '(amount|value|sum|total|amt|transaction amount|betrag|umsatz|belopp|bedrag|montant|importe|monto|valor|montante|quantia|importo)( in)?( [a-z]{3})?',
  ),
} as const;
export type ColumnRole = keyof typeof HEADER_WORDS;

/** Words of a document or of a row's own id, which is the reference where no other column is. */
const DOCUMENT = any(
  'id|row id|entry id',
  '(n |no |nr |num |numero |numero d[eo] )?(documento?|doc|comprobante|comprovante|justificante|piece|fattura|factura|fatura|facture)( (n|no|nr|num|numero))?',
  'beleg(nummer|nr)?|(rechnungs|auftrags|bestell)(nummer|nr)',
  'pedido|(numero d[eo] )?pedido|orden|commande|ordine|encomenda',
);

const MINOR = 'kobo|cents?|pence|pesewas?|centimes?|minor( units?)?';
const CURRENCY = new RegExp(` (in )?(euros?|dollars?|francs?|naira|${MINOR}|${CODES.toLowerCase()})$`);

/** Whether the header of amounts says that they are minor units: `amount_kobo`. */
export function isInMinorUnits(header: string): boolean {
  return new RegExp(` (in )?(${MINOR})$`).test(foldedWord(header));
}

/** Whether the header of a column ends or begins with a date, such as `batch_date`. */
export function isDateName(header: string): boolean {
  return /^(date|datum|fecha|data)\b|(\b(date|day|fecha|data)|datum)$/.test(foldedWord(header));
}

/** Returns what a column with this header probably holds; null: its words are not known. */
export function roleOf(header: string): ColumnRole | null {
  const word = foldedWord(header);
  // `Débit euros`, `Charges (NGN)`: the currency says nothing of the column.
  const words = [word, word.replace(CURRENCY, '')].filter((one) => one !== '');
  const found = words
    .map((one) => Object.entries(HEADER_WORDS).find(([, pattern]) => pattern.test(one)))
    .find((entry) => entry !== undefined);
  return (found?.[0] as ColumnRole | undefined) ?? null;
}

/** Whether a column is named as a document. */
export function isDocument(header: string): boolean {
  return DOCUMENT.test(foldedWord(header));
}
