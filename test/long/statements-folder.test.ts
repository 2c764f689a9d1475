// The claims of the suite about the statements folder, with a spreadsheet of nearly as many cells as one may have.
process.env.TALLYHOOK_TEST_ROWS ??= '30000';
await import('../integration/statements-folder.test.ts');
