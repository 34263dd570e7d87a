import boofcv.abst.fiducial.QrCodeDetector;
import boofcv.alg.fiducial.qrcode.QrCode;
import boofcv.concurrency.BoofConcurrency;
import boofcv.factory.fiducial.FactoryFiducial;
import boofcv.struct.image.GrayU8;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;

/**
 * BoofCV's reader behind two pipes. In: width and height of a picture, then a byte a pixel. Out: the nanoseconds that
 * reading it took this thread, the number of codes, and for each the bytes of its text and its four corners.
 */
public final class BoofCodes {
    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 20));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        // Nothing that a library says may get between the figures.
        System.setOut(System.err);
        BoofConcurrency.USE_CONCURRENT = false;
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        QrCodeDetector<GrayU8> detector = FactoryFiducial.qrcode(null, GrayU8.class);
        while (true) {
            int width;
            try {
                width = in.readInt();
            } catch (EOFException end) {
                return;
            }
            GrayU8 picture = new GrayU8(width, in.readInt());
            in.readFully(picture.data);
            long began = clock.getCurrentThreadCpuTime();
            detector.process(picture);
            out.writeLong(clock.getCurrentThreadCpuTime() - began);
            out.writeInt(detector.getDetections().size());
            for (QrCode code : detector.getDetections()) {
                byte[] text = code.message.getBytes(StandardCharsets.UTF_8);
                out.writeInt(text.length);
                out.write(text);
                for (int corner = 0; corner < 4; corner++) {
                    out.writeDouble(code.bounds.get(corner).x);
                    out.writeDouble(code.bounds.get(corner).y);
                }
            }
            out.flush();
        }
    }
}
