/**
 * The mark of the service in white on nothing, 56 pixels wide, as PNG: mails show no SVG. It lies
 * on a square in the accent. Drawn from `src/web/icon.svg`.
 */
export const markPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADgAAAA4BAMAAABaqCYtAAAAMFBMVEX/////////////////////////////////' +
    '//////////////////////////////9Or7hAAAAAEHRSTlMAESIzRFVmd4iZqrvM3e7/dpUBFQAAASRJREFUeNrt' +
    '1LFOAzEMBmAftHvGst2ExIDEynZzqdR7ABASDwLqC4CAB+jCI3SvkNo5U+cODLCxIEHVKz9K4hQn5CKx11OiT4pz' +
    'jn1Eu4ji9LHdzoBJmw0AYJaxFj0H8P0OYN5io15SnRGl9IKNdSHt2Nxk5NY9s34WOAVw7zcHABqBS2Cl/KYYh3gD' +
    '4Ev9Gj4FdpdbLe4AbGqK9U0RFbcmYx1+S1dbTZrXlO2VrGz7pcBLc4OO1aYyN/gQqOHVWVwEc1pnuq7c+RuBQ5/r' +
    'hHO/yAuNORtnXpWU0oRxRdeVMxUXwda00eIFtuW5YmU7rIMne+Ca2+ofBU+m4dVZUATt2qS4flV/2yTbYNnWzDd1' +
    'fhyc2pj/dwTzw5sfe6L+0+6nGccPdvs6nmFFmSUAAAAASUVORK5CYII=',
  'base64',
);
