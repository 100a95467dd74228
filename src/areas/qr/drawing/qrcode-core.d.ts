// The main module of the package also loads its renderers, which nothing here uses.
declare module 'qrcode/lib/core/qrcode.js' {
  export { create } from 'qrcode';
}
