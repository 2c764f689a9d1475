import { expect, test } from 'vitest';
import { typeOf, unfitness } from '../../../../../src/store/sqlite/engine/file-system.ts';

const MOUNTS = `overlay / overlay rw,relatime 0 0
/dev/sda1 /var/lib/tallyhook ext4 rw 0 0
host:/export /mnt/nas nfs4 rw 0 0
none /mnt/my\\040disk tmpfs rw 0 0
/dev/sdb1 /data ext4 rw 0 0
share /data cifs rw 0 0
`;

test.each([
  ['/etc/tallyhook.db', 'overlay'],
  ['/var/lib/tallyhook', 'ext4'],
  ['/var/lib/tallyhook/data', 'ext4'],
  ['/var/lib/tallyhook-old', 'overlay'],
  ['/mnt/nas/db', 'nfs4'],
  ['/mnt/my disk/db', 'tmpfs'],
  ['/data/db', 'cifs'],
])('%s lies on %s: the nearest mount, and of two on one point the later', (path, type) => {
  expect(typeOf(path, MOUNTS)).toBe(type);
});

test.each([
  ['overlay', 'container'],
  ['nfs', 'network'],
  ['nfs4', 'network'],
  ['cifs', 'network'],
  ['smb3', 'network'],
  ['fuse.sshfs', 'network'],
  ['9p', 'machine outside'],
  ['virtiofs', 'machine outside'],
  ['ext4', null],
  ['xfs', null],
  ['btrfs', null],
  ['zfs', null],
  ['tmpfs', null],
  ['fuseblk', null],
])('%s: %s', (type, reason) => {
  if (reason === null) expect(unfitness(type)).toBeNull();
  else expect(unfitness(type)).toContain(reason);
});
