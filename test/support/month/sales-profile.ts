/**
 * The profile of a statement of sales with their fees, batches and adjustments, of the account `a-KIND`; its first row has the days.
 * `more`: further lines.
 */
export const salesProfile = (kind: string, more = '') => `version: 1
name: ${kind}
kind: ${kind}
account: a-${kind}
environment: test
currency: NGN
file: { skipRows: 1 }
columns: { date: Date, reference: Reference, group: Group, type: Type }
dateFormat: yyyy-MM-dd
amount: { signed: Amount }
fee: Fee
types: { Sale: collection, "Paid out": settlement, Adjustment: adjustment }
${more}covers: { from: { row: 1, column: 2 }, to: { row: 1, column: 4 } }
`;
