/* Preloaded into each command of the guide: its clock stands still at GUIDE_NOW, so that what it prints is the same every day. */

const { Date: System } = globalThis;

const nowMs = () => System.parse(process.env.GUIDE_NOW ?? '');

if (process.env.GUIDE_NOW !== undefined) {
  globalThis.Date = class extends System {
    constructor(...parts) {
      super(...(parts.length === 0 ? [nowMs()] : parts));
    }

    static now() {
      return nowMs();
    }
  };
}
