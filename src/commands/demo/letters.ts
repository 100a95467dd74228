/**
 * Messages of the contact form, and what became of them. First the hours to the end of the year,
 * the
 * topic, the sender and the subject; then the message; then what an admin did: `*` is a note, `>` a
 * reply, `=` a status, and `@` an assignment. Lines that begin with two spaces go on.
 */
export const letters = `
0.4 question Mira Feldkamp <mira.feldkamp@mail.example> Merino in dark green
Hello, will the merino in dark green come back before Christmas? I need three more skeins of lot
  4471. Thank you, Mira

2.1 problem Tobias Lang <tobias@studio.example> Checkout stops at the address
When I enter an address in Austria, the button to continue stays gray. I tried Firefox and Chrome on
  a laptop.

5 sales Yarn & Co <purchasing@yarn.example> Wholesale prices
We have two shops and would like your wholesale list for spring.

26 problem Helene Baptiste <helene.b@mail.example> Parcel without the needles
My order arrived today, but the 4 mm needles are missing. The slip lists them.
* Asked the warehouse. The needles were packed separately, second parcel is on its way.
@ open

31 – Samir Haddad <samir@wool.example>
Do you also teach courses online?
= open

52 billing Grete Olsen <grete.olsen@mail.example> Invoice for May
Where can I download the invoice for May? I need it for my tax return.
> Hello Grete, you’ll find all invoices under Settings, Billing. The button at the end of each line
  downloads the PDF. Best regards
@ replied

75 privacy Noor van Dijk <noor@studio.example> Delete my account
Please delete my account and everything you store about me.
> Hello Noor, we have deleted your account. You will not hear from us again.
* Deleted on the same day.

240 other Pavel Novák <pavel@mail.example> Thank you
The blanket is finished. Thank you for the advice about the border!
> Hello Pavel, that made our day. Send us a picture if you like.
= closed

430 problem Ines Carvalho <ines.carvalho@mail.example> Shop was down?
I could not pay for an hour this afternoon. Is my cart still there?
* Within the outage of the payment provider.
> Hello Ines, your cart is still there, and payments work again. We are sorry.
@ closed

12 sales Best SEO Team <rank@seo.example> First page of search results
We put your site on the first page, guaranteed. Visit http://seo.example/offer today.
= spam

90 – Casino <win@casino.example> You have won
Claim your prize at http://casino.example
= trap

620 question Yara Lindholm <yara@mail.example> Gift card
Can I pay with two gift cards in one order?
> Hello Yara, yes: enter the second one after the first. Both are then listed above the total.
= closed

1010 problem Conrad Weiss <c.weiss@post.example> Wrong address on my order
I moved last week and typed my old address. Can you still change it?
* Changed before it left the warehouse.
> Hello Conrad, done: the parcel goes to your new address.
= closed

1480 sales Strickcafé am Markt <hallo@cafe.example> A workshop together?
We would like to hold a workshop with your yarn in spring. Who can we talk to?
* Forwarded to Chiara.
> Hello, that sounds lovely. Chiara will call you this week.

2130 billing Irena Kowalczyk <irena@studio.example> Returned parcel
I sent the blue skeins back three weeks ago. When do I get my money?
> Hello Irena, the refund left us today. It takes up to three days to arrive.
= closed

2890 security Ben Adeyemi <ben@wool.example> Possible security problem
The link for resetting my newsletter settings works without signing in. Is this intended?
* Looked at it: the link is meant to work once, and does.
> Hello Ben, thank you for looking closely. The link works once and for one hour only.
= closed

3720 problem Sofie Andersen <sofie.andersen@mail.example> Pattern for the striped socks
On page 3 the decreases do not add up. Should it be every fourth row?
> Hello Sofie, you are right. We have corrected the pattern and sent you the new file.
= closed

4650 question Rafael Ortiz <rafael@post.example> Shipping to Spain
How much is shipping to Valencia, and how long does it take?
> Hello Rafael, 9.90 euros and about five days.
= closed

5900 other Miriam Stein <miriam.stein@mail.example>
Loved the article about indigo. More of this, please!
= closed

7300 privacy Oskar Nyström <oskar@studio.example> My data
Which data do you keep about me, and for how long?
* Sent the copy of the data.
> Hello Oskar, you can download a copy of everything yourself: Your account, Your data.
= closed
`;
