/**
 * What the shop's people did in the service, beside signing in. A line tells when and what:
 * `63d11:07` is 63 days before the end of the year at 11:07 UTC, `26h` 26 hours before the end,
 * `+23` 23 minutes after the line before. It is a request of the first admin; SEND is a POST with
 * the operator's key, and USE one with the API key that was made. `:id` is that member of the first
 * answer that has it. Lines that begin with two spaces go on with the JSON, in which "@34d02:07" is
 * a time.
 */
export const year = String.raw`
355d09:00 POST /analytics/sites/shop.example/goals {"name": "Bought something", "kind": "event",
  "value": "purchase"}
355d09:01 POST /analytics/sites/shop.example/goals {"name": "Made an account", "kind": "event",
  "value": "signup"}
355d09:02 POST /analytics/sites/shop.example/goals {"name": "Came to the checkout", "kind":
  "page", "value": "/checkout"}
355d09:03 POST /analytics/sites/blog.example/goals {"name": "Wants the letter", "kind": "event",
  "value": "newsletter_signup"}
355d09:04 POST /analytics/sites/shop.example/funnels {"name": "From cart to purchase", "within":
  "visit", "steps": [{"name": "Into the cart", "kind": "event", "value": "add_to_cart"}, {"name":
  "Cart", "kind": "page", "value": "/cart"}, {"name": "Checkout", "kind": "page", "value":
  "/checkout"}, {"name": "Paid", "kind": "event", "value": "purchase"}]}
355d09:05 POST /analytics/sites/shop.example/shares {"name": "For the agency"}
355d09:06 POST /analytics/sites/shop.example/reports {"email": "chiara@shop.example", "frequency":
  "weekly", "timezone": "Europe/Berlin"}
236d06:20 POST /analytics/sites/shop.example/annotations {"at": "@236d06:00", "text": "The shop is
  on Product Hunt"}
152d06:20 POST /analytics/sites/shop.example/annotations {"at": "@152d06:00", "text": "Summer sale
  begins"}
97d06:20 POST /analytics/sites/blog.example/annotations {"at": "@97d06:00", "text": "The coffee
  machine is on Hacker News"}
63d11:27 POST /analytics/sites/shop.example/annotations {"at": "@63d11:07", "text": "Orders cannot
  be paid"}
3d06:20 POST /analytics/sites/shop.example/annotations {"at": "@3d06:00", "text": "Winter drop"}

345d10:00 POST /api/v1/deliverability/zones {"name": "Germany", "country": "DE", "currency": "EUR",
  "services": [{"code": "standard", "min_days": 2, "max_days": 3, "price": "4.90", "cod": true}]}
+2 POST /api/v1/deliverability/zones {"name": "Berlin, inner city", "country": "DE", "prefixes":
  ["101", "104", "109"], "priority": 10, "currency": "EUR", "services": [{"code": "same_day",
  "min_days": 0, "max_days": 0, "price": "9.90"}, {"code": "express", "min_days": 1, "max_days": 1,
  "price": "6.90"}, {"code": "standard", "min_days": 1, "max_days": 2, "price": "4.90", "cod":
  true}]}
+2 POST /api/v1/deliverability/zones {"name": "German islands", "country": "DE", "codes": ["27498",
  "18565"], "priority": 20}
+2 POST /api/v1/deliverability/zones {"name": "San Francisco Bay Area", "country": "US", "prefixes":
  ["940", "941"], "currency": "USD", "services": [{"code": "standard", "min_days": 5, "max_days": 9,
  "price": "14.00"}]}
+2 POST /api/v1/deliverability/zones {"name": "London", "country": "GB", "prefixes": ["SW", "SE",
  "W", "N", "E", "EC", "WC", "NW"], "currency": "GBP", "services": [{"code": "express", "min_days":
  2, "max_days": 3, "price": "16.50"}, {"code": "standard", "min_days": 4, "max_days": 7, "price":
  "9.50"}]}
+2 POST /api/v1/deliverability/zones {"name": "Amsterdam", "country": "NL", "ranges": [{"from":
  "1011", "to": "1109"}], "currency": "EUR", "services": [{"code": "standard", "min_days": 2,
  "max_days": 4, "price": "7.50"}]}

340d09:10 POST /api/v1/api-keys {"name": "Nightly import", "scopes": ["analytics:write"]}
+489000 USE
320d09:10 POST /api/v1/api-keys {"name": "Old deploy script", "scopes": ["admin"]}
+286000 USE
+1400 DELETE /api/v1/api-keys/:id
260d09:10 POST /api/v1/api-keys {"name": "Contractor (until summer)", "scopes":
  ["analytics:read"], "expires_at": "@160d09:00"}
+129600 USE
233d09:10 POST /api/v1/api-keys {"name": "Shop backend", "scopes": ["analytics:write"]}
+335500 USE
180d09:10 POST /api/v1/api-keys {"name": "Board report", "scopes": ["analytics:read"]}
+253000 USE
120d09:10 POST /api/v1/api-keys {"name": "Deploy", "scopes": ["admin"]}
+171200 USE
15d09:10 POST /api/v1/api-keys {"name": "Notebook", "scopes": ["analytics:read",
  "analytics:write"]}

122d10:00 POST /api/v1/invitations {"email": "marta@studio.example", "role": "viewer"}
+1200 DELETE /api/v1/invitations/:id
40d10:00 POST /api/v1/invitations {"email": "accounts@ledger.example", "role": "viewer", "note":
  "You asked for the figures of the last quarter."}
51h POST /api/v1/invitations {"email": "lukas@shop.example", "role": "admin"}
+1440 POST /api/v1/invitations/:id/resend
6h POST /api/v1/invitations {"email": "femke@agency.example", "role": "viewer", "note": "For the
  spring campaign."}

362d00:00 POST /api/v1/status/components {"id": "shop", "name": "Online shop", "group": "Sites",
  "description": "Catalogue and search", "source": "http", "target": ":target"}
362d00:01 POST /api/v1/status/components {"id": "checkout", "name": "Checkout", "group": "Sites",
  "description": "Cart, payment, confirmation", "source": "http", "target": ":target"}
63d11:07 POST /api/v1/status/incidents {"name": "Orders cannot be paid", "status":
  "investigating", "body": "Payments fail at the last step of the checkout. We are looking into
  it.", "components": [{"id": "checkout", "status": "major_outage"}, {"id": "shop", "status":
  "degraded_performance"}]}
+23 POST /api/v1/status/incidents/:id/updates {"status": "identified", "body": "A certificate of
  our payment provider has expired on one of our machines. We are replacing it."}
+91 POST /api/v1/status/incidents/:id/updates {"status": "monitoring", "body": "Payments go
  through again. We are watching them.", "components": [{"id": "checkout", "status":
  "partial_outage"}]}
+20 POST /api/v1/status/incidents/:id/updates {"status": "resolved", "body": "All payments of the
  last 20 minutes went through. Carts were kept."}
+2820 POST /api/v1/status/incidents/:id/updates {"status": "postmortem", "body": "From 11:07 to
  13:21 UTC nobody could pay.\n\nCause: a pinned intermediate certificate ran out, and the check
  that should have warned us looked at another host.\n\nWhat we changed: certificates are no
  longer pinned, and the check follows the way that a payment takes."}
11d08:07 POST /api/v1/status/incidents {"name": "Figures are slow", "status": "investigating",
  "body": "Dashboards take up to ten seconds. Events are stored as usual.", "components": [{"id":
  "analytics", "status": "degraded_performance"}]}
+17 POST /api/v1/status/incidents/:id/updates {"status": "identified", "body": "An export of a
  whole year and a compaction ran at the same time. The export was moved into the night."}
+35 POST /api/v1/status/incidents/:id/updates {"status": "resolved", "body": "Dashboards answer in
  well under a second again. Nothing was lost."}
37d02:07 POST /api/v1/status/maintenances {"name": "Database upgrade", "components": ["database"],
  "scheduled_for": "@34d02:07", "scheduled_until": "@34d03:37", "body": "We move to a new version
  of the database. Signing in may fail for a minute or two; events are stored all the time."}
+4320 POST /api/v1/status/maintenances/:id/updates {"status": "in_progress", "body": "Scheduled
  maintenance is in progress. We will say here when it is completed."}
+90 POST /api/v1/status/maintenances/:id/updates {"status": "completed", "body": "The scheduled
  maintenance is completed."}
26h POST /api/v1/status/maintenances {"name": "New payment provider", "components": ["checkout"],
  "scheduled_for": "@-5d02:07", "scheduled_until": "@-5d03:07", "body": "Orders can be placed all
  the time. For some minutes only payment by invoice is offered."}

300d10:00 POST /api/v1/nfc/tags {"name": "Table 1", "code": "table-1", "chip": "ntag213", "mode":
  "plain", "target": "https://shop.example/kits", "site_id": "shop.example"}
280d10:00 POST /api/v1/nfc/tags {"name": "Table 2", "code": "table-2", "chip": "ntag213", "mode":
  "plain", "target": "https://shop.example/kits", "site_id": "shop.example"}
260d10:00 POST /api/v1/nfc/tags {"name": "Table 3", "code": "table-3", "chip": "ntag213", "mode":
  "plain", "target": "https://shop.example/kits", "site_id": "shop.example"}
240d10:00 POST /api/v1/nfc/tags {"name": "Wool of the month", "code": "wool", "chip": "ntag216",
  "mode": "mirror", "target": "https://shop.example/yarn", "site_id": "shop.example"}
220d10:00 POST /api/v1/nfc/tags {"name": "Certificate 0001", "code": "cert-0001", "chip":
  "ntag424", "mode": "sun", "title": "Hand-dyed in Bergen", "page_text": "Lot 4471, dyed by Chiara
  in March. One of 40 skeins.", "site_id": "shop.example"}
200d10:00 POST /api/v1/nfc/tags {"name": "Certificate 0002", "code": "cert-0002", "chip":
  "ntag424", "mode": "sun", "target": "https://shop.example/kits", "site_id": "shop.example"}

83d08:00 POST /api/v1/contact/saved-replies {"name": "Invoices", "text": "Hello,\n\nyou’ll find
  all invoices under Settings, Billing. The button at the end of each line downloads the
  PDF.\n\nBest regards"}
83d08:30 POST /api/v1/contact/saved-replies {"name": "Looking into it", "text": "Hello,\n\nthank
  you for telling us. We are looking into it and will write again today."}
83d09:00 POST /api/v1/contact/saved-replies {"name": "Yarn is back in stock", "text":
  "Hello,\n\ngood news: the yarn you asked about is in stock again.\n\nHappy knitting"}
40d10:00 POST /api/v2/waitlist/entries/approve {"next": 20}
9d11:00 POST /api/v2/waitlist/entries/approve {"next": 20}

360d10:00 POST /api/v1/qr-codes {"code": "parcel", "name": "Card in every parcel", "url":
  "https://shop.example/kits/first-socks", "utm_campaign": "parcels", "site_id": "shop.example",
  "dynamic": true}
320d10:00 POST /api/v1/qr-codes {"code": "window", "name": "Shop window", "url":
  "https://shop.example/yarn", "utm_campaign": "shop", "site_id": "shop.example", "dynamic": true,
  "style": {"foreground": "#1a2b6b", "shape": "rounded", "eye_frame": "rounded"}}
75d10:00 POST /api/v1/qr-codes {"code": "poster-1", "name": "Winter poster, Main station", "url":
  "https://shop.example/landing/winter", "utm_campaign": "winter-posters", "site_id":
  "shop.example", "dynamic": true, "style": {"foreground": "#7a1f3d", "shape": "dots",
  "eye_frame": "circle", "level": "Q"}}
+79200 PATCH /api/v1/qr-codes/:id {"url": "https://shop.example/gifts"}
74d10:00 POST /api/v1/qr-codes {"code": "poster-2", "name": "Winter poster, Town hall", "url":
  "https://shop.example/landing/winter", "utm_campaign": "winter-posters", "site_id":
  "shop.example", "dynamic": true, "style": {"foreground": "#7a1f3d", "shape": "dots",
  "eye_frame": "circle", "level": "Q"}}
+77760 PATCH /api/v1/qr-codes/:id {"url": "https://shop.example/gifts"}
73d10:00 POST /api/v1/qr-codes {"code": "poster-3", "name": "Winter poster, University", "url":
  "https://shop.example/landing/winter", "utm_campaign": "winter-posters", "site_id":
  "shop.example", "dynamic": true, "style": {"foreground": "#7a1f3d", "shape": "dots",
  "eye_frame": "circle", "level": "Q"}}
+76320 PATCH /api/v1/qr-codes/:id {"url": "https://shop.example/gifts"}
72d10:00 POST /api/v1/qr-codes {"code": "poster-4", "name": "Winter poster, Market square", "url":
  "https://shop.example/landing/winter", "utm_campaign": "winter-posters", "site_id":
  "shop.example", "dynamic": true, "style": {"foreground": "#7a1f3d", "shape": "dots",
  "eye_frame": "circle", "level": "Q"}}
+74880 PATCH /api/v1/qr-codes/:id {"url": "https://shop.example/gifts"}

0.4h SEND /api/v1/contact {"name": "Mira Feldkamp", "email": "mira.feldkamp@mail.example",
  "subject": "Merino in dark green", "message": "Hello, will the merino in dark green come back
  before Christmas? I need three more skeins of lot 4471. Thank you, Mira", "topic": "question"}
2.1h SEND /api/v1/contact {"name": "Tobias Lang", "email": "tobias@studio.example", "subject":
  "Checkout stops at the address", "message": "When I enter an address in Austria, the button to
  continue stays gray. I tried Firefox and Chrome on a laptop.", "topic": "problem"}
5h SEND /api/v1/contact {"name": "Yarn & Co", "email": "purchasing@yarn.example", "subject":
  "Wholesale prices", "message": "We have two shops and would like your wholesale list for
  spring.", "topic": "sales"}
26h SEND /api/v1/contact {"name": "Helene Baptiste", "email": "helene.b@mail.example", "subject":
  "Parcel without the needles", "message": "My order arrived today, but the 4 mm needles are
  missing. The slip lists them.", "topic": "problem"}
+25 POST /api/v1/contact/messages/:id/notes {"text": "Asked the warehouse. The needles were packed
  separately, second parcel is on its way."}
+5 PATCH /api/v1/contact/messages/:id {"status": "open", "assignee_id": ":admin"}
31h SEND /api/v1/contact {"name": "Samir Haddad", "email": "samir@wool.example", "message": "Do
  you also teach courses online?"}
+25 PATCH /api/v1/contact/messages/:id {"status": "open"}
52h SEND /api/v1/contact {"name": "Grete Olsen", "email": "grete.olsen@mail.example", "subject":
  "Invoice for May", "message": "Where can I download the invoice for May? I need it for my tax
  return.", "topic": "billing"}
+25 POST /api/v1/contact/messages/:id/replies {"text": "Hello Grete, you’ll find all invoices
  under Settings, Billing. The button at the end of each line downloads the PDF. Best regards"}
+5 PATCH /api/v1/contact/messages/:id {"status": "replied", "assignee_id": ":admin"}
75h SEND /api/v1/contact {"name": "Noor van Dijk", "email": "noor@studio.example", "subject":
  "Delete my account", "message": "Please delete my account and everything you store about me.",
  "topic": "privacy"}
+25 POST /api/v1/contact/messages/:id/replies {"text": "Hello Noor, we have deleted your account.
  You will not hear from us again."}
+5 POST /api/v1/contact/messages/:id/notes {"text": "Deleted on the same day."}
240h SEND /api/v1/contact {"name": "Pavel Novák", "email": "pavel@mail.example", "subject": "Thank
  you", "message": "The blanket is finished. Thank you for the advice about the border!", "topic":
  "other"}
+25 POST /api/v1/contact/messages/:id/replies {"text": "Hello Pavel, that made our day. Send us a
  picture if you like."}
+5 PATCH /api/v1/contact/messages/:id {"status": "closed"}
430h SEND /api/v1/contact {"name": "Ines Carvalho", "email": "ines.carvalho@mail.example",
  "subject": "Shop was down?", "message": "I could not pay for an hour this afternoon. Is my cart
  still there?", "topic": "problem"}
+25 POST /api/v1/contact/messages/:id/notes {"text": "Within the outage of the payment provider."}
+5 POST /api/v1/contact/messages/:id/replies {"text": "Hello Ines, your cart is still there, and
  payments work again. We are sorry."}
+5 PATCH /api/v1/contact/messages/:id {"status": "closed", "assignee_id": ":admin"}
12h SEND /api/v1/contact {"name": "Best SEO Team", "email": "rank@seo.example", "subject": "First
  page of search results", "message": "We put your site on the first page, guaranteed. Visit
  http://seo.example/offer today.", "topic": "sales"}
+25 PATCH /api/v1/contact/messages/:id {"status": "spam"}
90h SEND /api/v1/contact {"name": "Casino", "email": "win@casino.example", "subject": "You have
  won", "message": "Claim your prize at http://casino.example", "website":
  "http://casino.example"}
1480h SEND /api/v1/contact {"name": "Strickcafé am Markt", "email": "hallo@cafe.example",
  "subject": "A workshop together?", "message": "We would like to hold a workshop with your yarn
  in spring. Who can we talk to?", "topic": "sales"}
+25 POST /api/v1/contact/messages/:id/notes {"text": "Forwarded to Chiara."}
+5 POST /api/v1/contact/messages/:id/replies {"text": "Hello, that sounds lovely. Chiara will call
  you this week."}
3720h SEND /api/v1/contact {"name": "Sofie Andersen", "email": "sofie.andersen@mail.example",
  "subject": "Pattern for the striped socks", "message": "On page 3 the decreases do not add up.
  Should it be every fourth row?", "topic": "problem"}
+25 POST /api/v1/contact/messages/:id/replies {"text": "Hello Sofie, you are right. We have
  corrected the pattern and sent you the new file."}
+5 PATCH /api/v1/contact/messages/:id {"status": "closed"}
5900h SEND /api/v1/contact {"name": "Miriam Stein", "email": "miriam.stein@mail.example",
  "message": "Loved the article about indigo. More of this, please!", "topic": "other"}
+25 PATCH /api/v1/contact/messages/:id {"status": "closed"}
7300h SEND /api/v1/contact {"name": "Oskar Nyström", "email": "oskar@studio.example", "subject":
  "My data", "message": "Which data do you keep about me, and for how long?", "topic": "privacy"}
+25 POST /api/v1/contact/messages/:id/notes {"text": "Sent the copy of the data."}
+5 POST /api/v1/contact/messages/:id/replies {"text": "Hello Oskar, you can download a copy of
  everything yourself: Your account, Your data."}
+5 PATCH /api/v1/contact/messages/:id {"status": "closed"}
`;
