// What a test of an adapter (NAME.test.js) sees when `lamplighter test` runs it.

declare function describe(title: string, body: () => void): void;
declare function it(title: string, body: () => void): void;
declare function beforeEach(body: () => void): void;
declare function expect(value: any): any;
declare const harness: any;
