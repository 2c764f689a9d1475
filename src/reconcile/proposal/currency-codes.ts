/** Codes that are looked for: others, such as ALL or TOP, are words of titles, too. */
export const CODES =
  'NGN|KES|GHS|ZAR|XOF|XAF|UGX|TZS|RWF|ETB|ZMW|EGP|MAD|TND|USD|EUR|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN|CZK|JPY|CNY|INR|AED|SAR|BRL|MXN';
