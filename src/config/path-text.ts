import { settingNames } from './json-schema.ts';
import { nameSeen } from './shown.ts';

/** `keys.test[0].secretKey`; a step that is no setting is shown as `nameSeen` allows. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${nameSeen(String(step), settingNames())}`))
    .join('');
  return text.replace(/^\./, '') || 'the file';
}
