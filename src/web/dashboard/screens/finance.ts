import type { Route } from '../route.ts';
import { approvalRoutes } from './approvals.ts';
import { oneExceptionRoutes } from './exception.ts';
import { exceptionActRoutes } from './exception-acts.ts';
import { exceptionSheetRoutes } from './exception-sheets.ts';
import { exceptionRoutes } from './exceptions.ts';
import { matchRoutes } from './matches.ts';
import { peopleRoutes } from './people.ts';
import { peopleActRoutes } from './people-acts.ts';
import { periodRoutes } from './period.ts';
import { periodListRoutes } from './periods.ts';
import { proofRoutes } from './proof.ts';
import { reportRoutes } from './reports.ts';
import { statementRoutes } from './statement.ts';
import { statementUploadRoutes } from './statement-upload.ts';
import { statementListRoutes } from './statements.ts';

/** The screens of finance, and of those who approve and may. */
export const financeRoutes: readonly Route[] = [
  ...statementListRoutes,
  ...statementUploadRoutes,
  ...statementRoutes,
  ...proofRoutes,
  ...exceptionRoutes,
  ...exceptionActRoutes,
  ...exceptionSheetRoutes,
  ...oneExceptionRoutes,
  ...matchRoutes,
  ...periodListRoutes,
  ...periodRoutes,
  ...reportRoutes,
  ...approvalRoutes,
  ...peopleRoutes,
  ...peopleActRoutes,
];
