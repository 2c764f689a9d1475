import { expect, test } from 'vitest';
import type { ConfirmedNews, News } from '../../../../src/domain/forwarding/news.ts';
import { exampleNews } from '../../../../src/forward/example-news.ts';

// The types as an application uses them: what is wrong does not compile, which `npm run check` sees.

test('kind tells the fields of data, type the status, and a name that is mistyped does not compile', () => {
  expect(sentence(exampleNews('msg_1', 'refund.success', 'confirmed'))).toBe('refunded 50.00 of TX-1');
  expect(sentence(exampleNews('msg_1', 'payout.failed', 'confirmed'))).toBe('payout to 0123456789: failed');
  expect(sentence(exampleNews('msg_1', 'refund.failed', 'received'))).toBe('reported: refund.failed');
});

function sentence(news: News): string {
  if (news.n === null) return `reported: ${news.type}`;
  return confirmedSentence(news);
}

function confirmedSentence(news: ConfirmedNews): string {
  switch (news.type) {
    case 'refund.success':
      return `refunded ${news.data.facts.amount} of ${news.data.facts.transactionReference}`;
    // @ts-expect-error no such type
    case 'refund.sucess':
      return '';
    default:
      if (news.kind === 'payout') return `payout to ${news.data.facts.accountNumber}: ${news.confirmed}`;
      // @ts-expect-error a collection has no bank account
      return String(news.data.facts.accountNumber);
  }
}
